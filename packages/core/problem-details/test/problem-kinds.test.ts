import { describe, expect, it } from '@jest/globals';
import { problemKinds } from '@meridian/problem-details';

const statusByKind = Object.fromEntries(
  Object.entries(problemKinds).map(([kind, { status }]) => [kind, status]),
);

describe('problemKinds', () => {
  it('holds every kind of the specification and of the contract with its status', () => {
    expect(statusByKind).toEqual({
      'account-already-exists': 409,
      'account-not-found': 404,
      'authentication-required': 401,
      'balance-overflow': 422,
      'cancellation-not-found': 404,
      'cursor-expired': 410,
      'delivery-not-found': 404,
      'headers-too-large': 431,
      'hold-not-found': 404,
      'hold-not-pending': 409,
      'idempotency-key-in-flight': 409,
      'idempotency-key-reused': 422,
      'if-match-required': 428,
      'insufficient-funds': 422,
      'insufficient-scope': 403,
      internal: 500,
      'invalid-cursor': 400,
      'invalid-parameter': 400,
      'invalid-token': 401,
      'invalid-transition': 409,
      'malformed-body': 400,
      'malformed-request': 400,
      'method-not-allowed': 405,
      'not-acceptable': 406,
      'order-already-cancelled': 409,
      'order-not-found': 404,
      'path-too-long': 414,
      'request-timeout': 408,
      'route-not-found': 404,
      'same-account': 422,
      'stale-etag': 412,
      throttled: 429,
      'transfer-already-reversed': 409,
      'transfer-is-reversal': 409,
      'transfer-not-found': 404,
      unavailable: 503,
      'unknown-destination': 422,
      'unsupported-media-type': 415,
      'upstream-timeout': 504,
      'webhook-disabled': 409,
      'webhook-limit-reached': 409,
      'webhook-not-found': 404,
      'webhook-url-not-allowed': 422,
    });
  });

  it.each(Object.entries(problemKinds))(
    'describes %s in sentences',
    (_kind, { title, meaning, cause, remedy }) => {
      expect(title).toMatch(/^[A-Z][\w -]+$/);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
      expect(cause).toMatch(/^[A-Z].*\.$/);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
    },
  );

  it.each(['throttled', 'unavailable', 'upstream-timeout'] as const)(
    'gives %s a time to retry after',
    (kind) => {
      expect(problemKinds[kind].retryAfterSeconds).toBe(1);
    },
  );
});
