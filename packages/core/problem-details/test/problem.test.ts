import { describe, expect, it } from '@jest/globals';
import { Problem, defineProblems, problem, problemBody } from '@meridian/problem-details';

describe('problem', () => {
  it('takes its status from the kind', () => {
    expect(problem('stale-etag', 'The account has changed.')).toMatchObject({
      kind: 'stale-etag',
      status: 412,
      detail: 'The account has changed.',
      headers: {},
    });
  });

  it('is an Error that a log can name', () => {
    const thrown = problem('account-not-found', 'No account a1.');
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toBeInstanceOf(Problem);
    expect(String(thrown)).toBe('Problem: account-not-found: No account a1.');
  });

  it('keeps its cause out of the detail', () => {
    const cause = new Error('select 1 failed on db-3');
    const thrown = problem('upstream-timeout', 'The store did not respond in time.', { cause });
    expect(thrown.cause).toBe(cause);
    expect(thrown.message).not.toContain('db-3');
  });

  it.each(['throttled', 'unavailable', 'upstream-timeout'] as const)('sends Retry-After with %s', (kind) => {
    expect(problem(kind, 'Later.').headers).toEqual({ 'Retry-After': '1' });
  });

  it("lets a header field of its own replace the kind's default", () => {
    expect(problem('throttled', 'Later.', { headers: { 'Retry-After': '7' } }).headers).toEqual({
      'Retry-After': '7',
    });
  });

  it('is frozen when it is thrown', () => {
    const { headers } = problem('insufficient-scope', 'Needs accounts:write.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect(Object.isFrozen(headers)).toBe(true);
  });
});

describe('defineProblems', () => {
  const outOf = defineProblems({
    'out-of-stock': { status: 409 },
    'too-early': { status: 503, retryAfterSeconds: 60 },
  });

  it('creates problems of the kinds of another service', () => {
    const thrown = outOf('out-of-stock', 'None of p1 is left.', { headers: { Link: '<x>' } });
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({ status: 409, headers: { Link: '<x>' } });
    expect(problemBody(thrown, 'https://shop.example')).toEqual({
      type: 'https://shop.example/problems/out-of-stock',
      status: 409,
      detail: 'None of p1 is left.',
    });
    expect(outOf('too-early', 'Wait.').headers).toEqual({ 'Retry-After': '60' });
  });

  it.each(['account-not-found', 'constructor', '__proto__'])('names an undefined kind: %s', (kind) => {
    expect(() => Reflect.apply(outOf, undefined, [kind, 'x'])).toThrow(
      `Cannot create a problem of the kind "${kind}": it is not defined`,
    );
  });
});
