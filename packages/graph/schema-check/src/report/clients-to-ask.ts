import { operationList } from './describe.ts';
import type { CheckReport } from './report.ts';

/** An owner of clients that a change hurts or makes costlier, and these clients with their operations. */
export interface OwnerToAsk {
  readonly owner: string;
  readonly clients: readonly { readonly name: string; readonly operations: readonly string[] }[];
}

/** The owners of the clients that breaking and dangerous changes concern, each once. */
export function ownersToAsk({ changes }: CheckReport): readonly OwnerToAsk[] {
  const uses = changes
    .filter(({ level }) => level === 'breaking' || level === 'dangerous')
    .flatMap(({ operations }) =>
      operations.flatMap(({ name: operation, clients }) =>
        clients.flatMap(({ name, owners }) => owners.map((owner) => ({ owner, client: name, operation }))),
      ),
    );
  return Array.from(
    Map.groupBy(uses, ({ owner }) => owner),
    ([owner, ofOwner]) => ({
      owner,
      clients: Array.from(
        Map.groupBy(ofOwner, ({ client }) => client),
        ([name, ofClient]) => ({
          name,
          operations: [...new Set(ofClient.map(({ operation }) => operation))],
        }),
      ),
    }),
  ).toSorted((one, other) => (one.owner < other.owner ? -1 : 1));
}

const maxOperations = 5;

/** `ios (Parcels, Top), web (Top)` */
export function clientsText({ clients }: OwnerToAsk): string {
  return clients
    .map(
      ({ name, operations }) =>
        `${name || 'an unnamed client'} (${operationList(operations, maxOperations)})`,
    )
    .join(', ');
}
