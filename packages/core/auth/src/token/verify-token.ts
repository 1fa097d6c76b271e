import { errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import type { SigningAlgorithm } from '../jwks/signing-algorithms.ts';
import type { VerificationKey } from '../jwks/verification-key.ts';
import { invalidToken } from '../problems.ts';

export interface VerifyTokenOptions {
  /** The one that the token names. All candidates fit it. */
  readonly algorithm: SigningAlgorithm;
  /** The required `iss`; `undefined`: any, or none. */
  readonly issuer: string | undefined;
  /** A token needs one of these in its `aud`; `undefined`: it is not checked. */
  readonly audience: string | readonly string[] | undefined;
  /** In addition to `exp` and the claims that are compared. */
  readonly requiredClaims: readonly string[];
  readonly clockToleranceSeconds: number;
  readonly now: () => number;
}

export interface VerifiedToken {
  readonly claims: JWTPayload;
  /** The key that signed it. */
  readonly key: VerificationKey;
}

/**
 * Verifies the signature of a token with the first key that fits, then its claims (RFC 8725, RFC 7519 §4.1). Undefined
 * when none of the keys made the signature. `nbf` and `iat` are optional (RFC 7519 §4.1.5 and 4.1.6), and checked when
 * present.
 *
 * @throws {Problem} `invalid-token` for bad claims
 */
export async function verifyToken(
  token: string,
  candidates: readonly VerificationKey[],
  { algorithm, issuer, audience, requiredClaims, clockToleranceSeconds, now }: VerifyTokenOptions,
): Promise<VerifiedToken | undefined> {
  const nowMs = now();
  for (const key of candidates) {
    try {
      const { payload } = await jwtVerify(token, key.key, {
        algorithms: [algorithm],
        ...(issuer === undefined ? {} : { issuer }),
        ...(audience === undefined ? {} : { audience: [audience].flat() }),
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(nowMs),
        requiredClaims: ['exp', ...requiredClaims],
      });
      if ((payload.iat ?? 0) > nowMs / 1000 + clockToleranceSeconds) {
        throw invalidToken('The token was issued in the future.');
      }
      return { claims: payload, key };
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) {
        throw problemOf(error);
      }
    }
  }
  return undefined;
}

/** Translates jose's errors about a token to problems. Any other error is not the token's fault. */
function problemOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return invalidToken('The token has expired.', error);
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalidToken(claimDetail(error), error);
  }
  if (error instanceof errors.JOSEError) {
    return invalidToken('The token is not a signed JSON Web Token.', error);
  }
  return error;
}

function claimDetail({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') {
    return `The token lacks the claim ${claim}.`;
  }
  if (claim === 'aud') {
    return 'The token is for another audience.';
  }
  return claim === 'nbf' && reason === 'check_failed'
    ? 'The token is not valid yet.'
    : `The claim ${claim} of the token is of the wrong type.`;
}
