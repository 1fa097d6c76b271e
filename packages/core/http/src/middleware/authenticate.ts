import { assertScope, callerFromAuthorization } from '@meridian/auth';
import type { Caller, Scope, TokenVerifier } from '@meridian/auth';

import { createRequestSlot } from '../exchange/request-slot.ts';
import type { Middleware } from './middleware.ts';

const slot = createRequestSlot<Caller>('authenticate');

/** The caller of a request that passed `authenticate`. */
export const callerOf = slot.read;

/** Rejects a request without a valid bearer token with 401, or with 503 if the token cannot be verified now. */
export function authenticate(verifier: TokenVerifier): Middleware {
  return async (request, _response, next) => {
    slot.fill(request, await callerFromAuthorization(request.headers.authorization, verifier));
    next();
  };
}

/** Rejects a caller whose token lacks the scope, with 403; place it after `authenticate`. */
export function requireScope(scope: Scope): Middleware {
  return (request, _response, next) => {
    assertScope(callerOf(request), scope);
    next();
  };
}
