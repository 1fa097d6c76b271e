import type { Caller } from './caller.ts';
import { authenticationRequired, invalidToken } from './problems.ts';
import type { TokenSender } from './token/introspect-token.ts';
import type { TokenVerifier } from './token-verifier.ts';

const bearer = /^bearer(?: |$)/i;
/** RFC 6750 §2.1, `b64token`. */
const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The caller that the `Authorization` header of a request names.
 *
 * @throws {Problem} `authentication-required` without a bearer token (none at all, or another scheme),
 * `invalid-token` for a token that is rejected, and `unavailable` when its issuer's keys cannot be fetched
 */
export async function callerFromAuthorization(
  header: string | undefined,
  verifier: TokenVerifier,
  sender?: TokenSender,
): Promise<Caller> {
  return await callerFromToken(bearerTokenIn(header ?? ''), verifier, sender);
}

/**
 * The caller that the `Authorization` header among these fields names, if its token was verified a short while ago and is
 * written as most clients do; undefined where `callerFromAuthorization` has to look.
 */
export function knownCaller(
  fields: { readonly authorization?: string | undefined },
  verifier: TokenVerifier,
): Caller | undefined {
  const { authorization: header } = fields;
  return header?.startsWith('Bearer ') === true
    ? verifier.find(header.slice('Bearer '.length), fields)
    : undefined;
}

/**
 * The caller of a bearer token, wherever the request has it.
 *
 * @throws {Problem} as `callerFromAuthorization`; an empty token is none
 */
export async function callerFromToken(
  token: string,
  verifier: TokenVerifier,
  sender?: TokenSender,
): Promise<Caller> {
  if (token === '') {
    throw authenticationRequired();
  }
  if (!b64token.test(token)) {
    throw invalidToken('The bearer token holds characters that no token has.');
  }
  return await verifier.verify(token, sender);
}

/** The empty string when there is none. The scheme's name is case-insensitive (RFC 9110 §11.1). */
function bearerTokenIn(header: string): string {
  return bearer.test(header) ? header.slice('bearer '.length).trim() : '';
}
