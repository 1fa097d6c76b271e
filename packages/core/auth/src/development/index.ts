export { DevelopmentIdentityError } from './signing-key.ts';
export {
  createDevelopmentIdentity,
  developmentAudience,
  developmentIssuer,
  type DevelopmentIdentity,
  type DevelopmentTokenClaims,
} from './development-identity.ts';
export { scopesWith } from './scopes-with.ts';
