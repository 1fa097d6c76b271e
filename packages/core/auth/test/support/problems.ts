/** The response to a rejected token. Contract: Identity. */
export const invalidToken = {
  kind: 'invalid-token',
  status: 401,
  headers: { 'WWW-Authenticate': 'Bearer realm="meridian", error="invalid_token"' },
};

/** The response to a token that cannot be verified now. */
export function unavailable(retryAfterSeconds: number) {
  return {
    kind: 'unavailable',
    status: 503,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}
