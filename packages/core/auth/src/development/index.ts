export { DevelopmentIdentityError } from './development-identity-error.ts';
export {
  createDevelopmentIdentity,
  developmentAudience,
  developmentIssuer,
  type DevelopmentIdentity,
  type DevelopmentTokenClaims,
} from './development-identity.ts';
export { scopesWith } from './scopes-with.ts';
