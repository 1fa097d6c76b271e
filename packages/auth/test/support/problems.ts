/** What a refused token is answered with. Contract: Identity. */
export const invalidToken = {
  kind: 'invalid-token',
  status: 401,
  headers: { 'WWW-Authenticate': 'Bearer realm="meridian", error="invalid_token"' },
};

/** What a token that nobody can verify now is answered with. */
export function unavailable(retryAfterSeconds: number) {
  return {
    kind: 'unavailable',
    status: 503,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}
