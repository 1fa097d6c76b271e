/** The JWS algorithms of a key set that lists none. All are asymmetric, so that no public key can pass for a secret. */
export const usualAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** The algorithms whose key is a secret: it signs tokens too. */
const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;

/** The JWS algorithms that a key set may list. */
export const signingAlgorithms = [
  ...usualAlgorithms,
  'RS384',
  'RS512',
  'PS384',
  'PS512',
  'ES384',
  ...secretAlgorithms,
] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

export function isSigningAlgorithm(value: unknown): value is SigningAlgorithm {
  return signingAlgorithms.some((algorithm) => algorithm === value);
}

/** True for an algorithm whose key is a secret. */
export function takesSecret(algorithm: string): boolean {
  return secretAlgorithms.some((each) => each === algorithm);
}
