import type { Caller } from './caller.ts';
import { insufficientScope } from './problems.ts';

/** Every scope of the system. Contract: Identity. */
export const allScopes = [
  'accounts:read',
  'accounts:write',
  'transfers:write',
  'orders:read',
  'orders:write',
  'reviews:write',
  'products:write',
] as const;

export type Scope = (typeof allScopes)[number];

/** Throws the problem `insufficient-scope`, which names the scope, when the caller's token lacks it. */
export function assertScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.has(scope)) {
    throw insufficientScope(scope);
  }
}
