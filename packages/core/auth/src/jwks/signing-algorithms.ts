/**
 * The JWS algorithms that a token may be signed with; all are asymmetric, so that no public key can pass for a secret.
 */
export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

export function isSigningAlgorithm(value: unknown): value is SigningAlgorithm {
  return signingAlgorithms.some((algorithm) => algorithm === value);
}
