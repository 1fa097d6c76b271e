import { plainIdentifier } from './plain-identifier.ts';

/** The key of an identifier among those of one client, or of all: both are free text, which JSON keeps apart. */
export function operationKey(id: string, clientName: string | undefined): string {
  return JSON.stringify([clientName ?? null, plainIdentifier(id)]);
}
