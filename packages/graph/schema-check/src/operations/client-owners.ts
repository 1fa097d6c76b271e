import type { ClientOperation } from '../read/read-manifests.ts';
import type { ClientRule } from '../rules/rules.ts';

/** The owners of a client; empty where none are known. */
export type ClientOwners = (client: string) => readonly string[];

/**
 * Finds the owners of clients: the owners that a rule names, else the manifest's.
 *
 * @param listed the operations of manifests; the first of a client that has owners counts
 */
export function createClientOwners(
  rules: readonly ClientRule[],
  listed: readonly ClientOperation[],
): ClientOwners {
  const owners = new Map(rules.map((rule) => [rule.client, rule.owners]));
  for (const { client, owners: ofManifest = [] } of listed) {
    if (ofManifest.length > 0 && !owners.has(client)) {
      owners.set(client, ofManifest);
    }
  }
  return (client) => owners.get(client) ?? [];
}
