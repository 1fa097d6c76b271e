import type { Hit, OperationClient } from '../changes/impact/known-operation.ts';
import { groupsOf } from '../changes/pair-by-key.ts';
import type { ClientOwners } from '../operations/client-uses.ts';
import type { ReportedClient, ReportedHit } from './report.ts';

/** The hits of a change as a report has them: the texts that clients have of one operation are one, by its name. */
export function reportedHits(hits: readonly Hit[], ownersOf: ClientOwners): readonly ReportedHit[] {
  const groups = groupsOf(hits, ({ operation: { key, name }, how, isCertain }) => [
    name === '' ? key : name,
    how,
    isCertain,
  ]);
  return groups.map((equal) => {
    const [{ operation, how, isCertain }] = equal;
    const clients = equal.flatMap((hit) => hit.operation.clients);
    return {
      name: operation.name,
      identifiers: [...new Set(equal.flatMap((hit) => hit.operation.identifiers))],
      how,
      isCertain,
      clients: groupsOf(clients, ({ name, version }) => [name, version ?? null]).map((same) =>
        reportedClient(same, ownersOf),
      ),
    };
  });
}

/** @param uses of one version of a client */
function reportedClient(
  uses: readonly [OperationClient, ...OperationClient[]],
  ownersOf: ClientOwners,
): ReportedClient {
  const [{ name, version = null }] = uses;
  const requests = uses.flatMap((use) => use.requests ?? []);
  return {
    name,
    version,
    requests: requests.length === 0 ? null : requests.reduce((sum, count) => sum + count, 0),
    lastDay:
      uses
        .flatMap(({ lastDay }) => lastDay ?? [])
        .toSorted()
        .at(-1) ?? null,
    owners: ownersOf(name),
  };
}
