import { describe, expect, it } from '@jest/globals';
import { problem, problemBody } from '@meridian/problem-details';

describe('problemBody', () => {
  it('holds exactly type, status and detail', () => {
    const notFound = problem('account-not-found', 'No account a1.', { cause: new Error('secret') });
    expect(JSON.parse(JSON.stringify(problemBody(notFound, 'https://api.example')))).toStrictEqual({
      type: 'https://api.example/problems/account-not-found',
      status: 404,
      detail: 'No account a1.',
    });
  });

  it('builds the same type from a base URL with a trailing slash', () => {
    expect(problemBody(problem('internal', 'Failed.'), 'https://api.example/').type).toBe(
      'https://api.example/problems/internal',
    );
  });
});
