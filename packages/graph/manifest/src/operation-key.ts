import { plainIdentifier } from './plain-identifier.ts';

/** The map key of an identifier, for one client or for all. Both parts are free text; JSON keeps them apart. */
export function operationKey(id: string, clientName: string | undefined): string {
  return JSON.stringify([clientName ?? null, plainIdentifier(id)]);
}
