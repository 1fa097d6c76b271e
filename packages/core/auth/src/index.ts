export { callerFromAuthorization, callerFromToken, knownCaller } from './caller-from-authorization.ts';
export type { Caller } from './caller.ts';
export { authenticationRequired } from './problems.ts';
export { jwksUrl } from './jwks/jwks-url.ts';
export { takesSecret } from './jwks/signing-algorithms.ts';
export { allScopes, assertScope, type Scope } from './scopes.ts';
export {
  createTokenVerifier,
  type JwksLogger,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './token-verifier.ts';
export type { Introspection, OpenKeySet, TrustedIssuer } from './trusted-issuer.ts';
