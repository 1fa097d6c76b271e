import type { IncomingHttpHeaders } from 'node:http';

import type { Caller, TokenVerifier } from '@meridian/auth';
import { callerFromAuthorization } from '@meridian/auth';
import { Problem } from '@meridian/problem-details';

import type { RequestErrorCode } from '../../errors/error-codes.ts';
import { requestError } from '../../errors/request-error.ts';

export interface IdentityOptions {
  /** Absent: tokens are not verified, and every caller is anonymous. */
  readonly verifier?: TokenVerifier | undefined;
  /** True when a request without a token is rejected. */
  readonly isRequired: boolean;
}

/**
 * The caller of a request; undefined for an anonymous one, if that is allowed. An invalid token is rejected even
 * then: a client that sends one does not mean to be anonymous.
 *
 * Contract: Identity.
 *
 * @throws {RequestError}
 */
export function identifyCaller(
  { authorization }: IncomingHttpHeaders,
  { verifier, isRequired }: IdentityOptions,
): Caller | undefined | Promise<Caller> {
  if (verifier === undefined || (authorization === undefined && !isRequired)) {
    return undefined;
  }
  return verifiedCaller(authorization, verifier);
}

async function verifiedCaller(authorization: string | undefined, verifier: TokenVerifier): Promise<Caller> {
  try {
    return await callerFromAuthorization(authorization, verifier);
  } catch (error) {
    throw error instanceof Problem ? requestErrorOf(error) : error;
  }
}

function requestErrorOf({ status, detail, headers, cause }: Problem): Error {
  const code: RequestErrorCode = status === 401 ? 'UNAUTHENTICATED' : 'SERVICE_UNAVAILABLE';
  return requestError(code, detail, { headers, cause });
}
