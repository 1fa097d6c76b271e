import type { Caller, TokenVerifier } from '@meridian/auth';
import { callerFromAuthorization, callerFromToken, knownCaller } from '@meridian/auth';
import type { Exchange } from '@meridian/http';
import { Problem } from '@meridian/problem-details';

import type { RequestErrorCode } from '../../errors/error-codes.ts';
import { RequestError, requestError } from '../../errors/request-error.ts';
import type { TokenSources } from './token-sources.ts';

export interface IdentityOptions {
  /** Absent: tokens are not verified, and every caller is anonymous. */
  readonly verifier?: TokenVerifier | undefined;
  /** True when a request without a token is rejected. */
  readonly isRequired: boolean;
  /** Absent where tokens come in `Authorization` alone, and an invalid one is rejected. */
  readonly sources?: TokenSources | undefined;
}

/** The part of a request that says whose it is. */
type Sender = Pick<Exchange, 'headers' | 'peer'>;

/**
 * The caller of a request; undefined for an anonymous one, if that is allowed. An invalid token is rejected even
 * then, unless the configuration says otherwise: a client that sends one does not mean to be anonymous.
 *
 * Contract: Identity.
 *
 * @throws {RequestError}
 */
export function identifyCaller(
  sender: Sender,
  { verifier, isRequired, sources }: IdentityOptions,
): Caller | undefined | Promise<Caller | undefined> {
  const { authorization } = sender.headers;
  if (verifier === undefined || (sources === undefined && authorization === undefined && !isRequired)) {
    return undefined;
  }
  return sources === undefined
    ? (knownCaller(sender.headers, verifier) ?? verifiedCaller(sender, verifier))
    : foundCaller(sender, verifier, { isRequired, sources });
}

async function verifiedCaller(sender: Sender, verifier: TokenVerifier): Promise<Caller> {
  try {
    return await callerFromAuthorization(sender.headers.authorization, verifier, sender);
  } catch (error) {
    throw error instanceof Problem ? requestErrorOf(error) : error;
  }
}

/** The caller by a token that may be elsewhere than in `Authorization`. */
async function foundCaller(
  sender: Sender,
  verifier: TokenVerifier,
  { isRequired, sources }: { readonly isRequired: boolean; readonly sources: TokenSources },
): Promise<Caller | undefined> {
  try {
    const token = sources.find(sender.headers) ?? '';
    return token === '' && !isRequired ? undefined : await callerFromToken(token, verifier, sender);
  } catch (thrown) {
    const error = thrown instanceof Problem ? requestErrorOf(thrown) : thrown;
    if (sources.ignoresInvalid && !isRequired && isUnauthenticated(error)) {
      return undefined;
    }
    throw error;
  }
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'UNAUTHENTICATED';
}

function requestErrorOf({ status, detail, headers, cause }: Problem): Error {
  const code: RequestErrorCode = status === 401 ? 'UNAUTHENTICATED' : 'SERVICE_UNAVAILABLE';
  return requestError(code, detail, { headers, cause });
}
