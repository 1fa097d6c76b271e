import type { Caller } from './caller.ts';
import { insufficientScope } from './problems.ts';

/** Every scope of the system. Contract: Identity. */
export const allScopes = [
  'accounts:read',
  'accounts:write',
  'transfers:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'orders:read',
  'orders:write',
  'reviews:write',
  'products:write',
] as const;

export type Scope = (typeof allScopes)[number];

/**
 * Checks that the caller's token has a scope.
 *
 * @throws {Problem} `insufficient-scope`, which names the scope
 */
export function assertScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.has(scope)) {
    throw insufficientScope(scope);
  }
}
