// The problems of identity, with the challenges that go with them (RFC 6750 §3). Contract: Identity.
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

const challenge = 'Bearer realm="meridian"';

/** 401: the request carries no token. */
export function authenticationRequired(): Problem {
  return problem('authentication-required', 'The request carries no bearer token.', {
    headers: { 'WWW-Authenticate': challenge },
  });
}

/** 401: the request carries a rejected token. The detail says why. */
export function invalidToken(detail: string, cause?: unknown): Problem {
  return problem('invalid-token', detail, {
    headers: { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
    cause,
  });
}

/** 403: the token is valid and lacks a scope. */
export function insufficientScope(scope: string): Problem {
  return problem('insufficient-scope', `The token lacks the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
  });
}

/** 503: the keys for the token cannot be fetched, so its validity is unknown. */
export function identityUnavailable(retryAfterSeconds: number, cause: unknown): Problem {
  return problem('unavailable', 'The token cannot be verified now.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  });
}
