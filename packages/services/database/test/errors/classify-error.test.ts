import { describe, expect, it } from '@jest/globals';

import { classifyFailure, isWorthAnotherAttempt } from '../../src/errors/classify-error.ts';

/** Citus 13.2 wrote these texts, about a worker that a test had killed. */
describe('classifyFailure', () => {
  const unreachable =
    'connection to the remote node meridian_accounts@127.0.0.1:5601 failed with the following error: Connection refused\n' +
    '\tIs the server running on that host and accepting TCP/IP connections?';

  it.each([
    ['08006', unreachable],
    [
      '08006',
      'connection to the remote node meridian_accounts@127.0.0.1:5601 failed with the following error: FATAL:  the database system is starting up',
    ],
  ])('is certain that a write never reached a worker that cannot be connected to: %s %s', (code, message) => {
    expect(classifyFailure(failure(code, message), true)).toMatchObject({ code: 'store-unavailable' });
  });

  it.each([
    [
      'XX000',
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    ],
    ['XX000', 'could not commit transaction for shard 102009 on at least one active node'],
    ['XX000', 'failure on connection marked as essential: 127.0.0.1:5601'],
    [
      '08006',
      'connection to the remote node meridian_accounts@127.0.0.1:5601 failed with the following error: server closed the connection unexpectedly',
    ],
    ['57P01', 'terminating connection due to administrator command'],
  ])('does not know the outcome of a write whose worker was lost: %s %s', (code, message) => {
    expect(classifyFailure(failure(code, message), true)).toMatchObject({ code: 'outcome-unknown' });
    expect(classifyFailure(failure(code, message), false)).toMatchObject({ code: 'store-unavailable' });
  });

  it('is certain that a write changed nothing where its tenant had moved to another worker', () => {
    const error = classifyFailure(
      failure('MT001', 'the statement came to this node without its tenant'),
      true,
    );
    expect(error).toMatchObject({ code: 'store-unavailable' });
    expect(isWorthAnotherAttempt(error)).toBe(true);
  });

  it('takes a lock that did not come free for a timeout, after which nothing has changed', () => {
    const error = failure('55P03', 'canceling statement due to lock timeout');
    expect(classifyFailure(error, true)).toMatchObject({ code: 'store-timeout' });
  });

  it("passes PostgreSQL's internal errors on", () => {
    const error = failure('XX000', 'cache lookup failed for relation 1');
    expect(classifyFailure(error, true)).toBe(error);
  });
});

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
