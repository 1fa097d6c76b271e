import type { Hit } from '../changes/impact/hit.ts';
import type { OperationClient } from '../changes/impact/known-operation.ts';

import type { ClientOwners } from '../operations/client-owners.ts';
import type { ReportedClient, ReportedHit } from './report.ts';

/** The hits of a change as a report has them: the texts that clients have of one operation are one, by its name. */
export function reportedHits(hits: readonly Hit[], ownersOf: ClientOwners): readonly ReportedHit[] {
  const byName = Map.groupBy(hits, ({ operation: { key, name }, how, isCertain }) =>
    JSON.stringify([name === '' ? key : name, how, isCertain]),
  );
  return [...byName.values()].flatMap((equal) => {
    const [first] = equal;
    return first === undefined
      ? []
      : [
          {
            name: first.operation.name,
            identifiers: [...new Set(equal.flatMap(({ operation }) => operation.identifiers))],
            how: first.how,
            isCertain: first.isCertain,
            clients: reportedClients(
              equal.flatMap(({ operation }) => operation.clients),
              ownersOf,
            ),
          },
        ];
  });
}

function reportedClients(
  clients: readonly OperationClient[],
  ownersOf: ClientOwners,
): readonly ReportedClient[] {
  const byVersion = Map.groupBy(clients, ({ name, version }) => JSON.stringify([name, version]));
  return [...byVersion.values()].flatMap((equal) => {
    const [first] = equal;
    const requests = equal.flatMap((client) => client.requests ?? []);
    const days = equal.flatMap(({ lastDay }) => lastDay ?? []).toSorted();
    return first === undefined
      ? []
      : [
          {
            name: first.name,
            version: first.version ?? null,
            requests: requests.length === 0 ? null : requests.reduce((sum, count) => sum + count, 0),
            lastDay: days.at(-1) ?? null,
            owners: ownersOf(first.name),
          },
        ];
  });
}
