import { decodeJwt, decodeProtectedHeader } from 'jose';
import { invalidToken } from '../problems.ts';
import { isSigningAlgorithm } from '../jwks/signing-algorithms.ts';
import type { SigningAlgorithm } from '../jwks/signing-algorithms.ts';

/** The claims of a token before verification: enough to find the keys that may have signed it. */
export interface UnverifiedToken {
  readonly algorithm: SigningAlgorithm;
  readonly kid: string | undefined;
  readonly issuer: string | undefined;
}

/**
 * Reads the header and the issuer of a token, and rejects with `invalid-token` when no key could make it valid.
 *
 * A token that declares another type is rejected, although its issuer signed it: a security event or a logout token
 * with the same claims is not an access token (RFC 8725 §3.11). Most issuers declare `JWT` or nothing for access
 * tokens; both are accepted.
 *
 * Nothing else in the header is used: a token with its own key or a location for one (`jwk`, `jku`, `x5u`) is verified
 * with the issuer's keys like any other (RFC 8725 §3.10).
 *
 * @throws {Problem} `invalid-token`
 */
export function readUnverified(token: string): UnverifiedToken {
  const { header, claims } = decode(token);
  const { alg, kid, crit, typ } = header;
  if (!isSigningAlgorithm(alg)) {
    throw invalidToken('The token is signed with an algorithm that is not accepted.');
  }
  if (crit !== undefined) {
    throw invalidToken('The token has critical header parameters, and none is understood.');
  }
  if (typ !== undefined && !isTypeOfAccessTokens(typ)) {
    throw invalidToken('The token is of another type than an access token.');
  }
  if (kid !== undefined && typeof kid !== 'string') {
    throw invalidToken('The token names its key by a value other than a string.');
  }
  const issuer: unknown = claims.iss;
  if (issuer !== undefined && typeof issuer !== 'string') {
    throw invalidToken('The claim iss of the token is of the wrong type.');
  }
  return { algorithm: alg, kid, issuer };
}

/** A media type, with or without `application/` (RFC 7515 §4.1.9): RFC 9068 §2.1's, or any JSON Web Token's. */
function isTypeOfAccessTokens(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ);
}

function decode(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch (error) {
    throw invalidToken('The token is not a signed JSON Web Token.', error);
  }
}
