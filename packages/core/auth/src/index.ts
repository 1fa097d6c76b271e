export { callerFromAuthorization } from './caller-from-authorization.ts';
export type { Caller } from './caller.ts';
export { jwksUrl } from './jwks/jwks-url.ts';
export { allScopes, assertScope, type Scope } from './scopes.ts';
export {
  createTokenVerifier,
  type JwksLogger,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './token-verifier.ts';
export type { OpenKeySet, TrustedIssuer } from './trusted-issuer.ts';
