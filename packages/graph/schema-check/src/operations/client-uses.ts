import type { KnownOperation, OperationClient } from '../changes/impact/known-operation.ts';
import type { RecordedUsage, RecordedUse } from '../read/usage-file.ts';
import type { ClientRule, IgnoreRules } from '../rules/rules.ts';
import type { UsageWindow } from './known-operations.ts';
import { recordedKey } from './known-operations.ts';
import type { ClientOperation } from '../read/read-manifests.ts';

/** A client of an operation, with the figures that are recorded. */
export interface ClientUse extends OperationClient {
  /** The share of requests that ended with errors: 0 to 1. */
  readonly failedShare: number | undefined;
  /** 95 of 100 requests took no longer. */
  readonly p95Ms: number | undefined;
  /** The mean estimated cost. */
  readonly cost: number | undefined;
  /** Requests by day. */
  readonly daily: ReadonlyMap<string, number>;
}

/** Adds to the clients of an operation what usage has recorded of each. */
export type ReadClientUses = (operation: KnownOperation) => readonly ClientUse[];

export function createReadClientUses(
  usage: RecordedUsage | undefined,
  { isInWindow }: UsageWindow,
  { clients }: Pick<IgnoreRules, 'clients'>,
): ReadClientUses {
  const byOperation = Map.groupBy(usage?.operations ?? [], recordedKey);
  return ({ key, clients: known }) => {
    const uses = (byOperation.get(key) ?? [])
      .flatMap((operation) => operation.uses)
      .filter((use) => isInWindow(use) && !clients.includes(use.client));
    const byClient = Map.groupBy(uses, ({ client, version }) => JSON.stringify([client, version]));
    return known.map((client) => {
      const ofClient = byClient.get(JSON.stringify([client.name, client.version])) ?? [];
      return Object.assign(figuresOf(ofClient), client);
    });
  };
}

function figuresOf(uses: readonly RecordedUse[]): Omit<ClientUse, keyof OperationClient> {
  const durations = uses.flatMap(({ p95Ms }) => p95Ms ?? []);
  const daily = new Map<string, number>();
  for (const [day, requests] of uses.flatMap((use) => Object.entries(use.daily ?? {}))) {
    daily.set(day, (daily.get(day) ?? 0) + requests);
  }
  return {
    failedShare: meanOf(uses, ({ failedShare }) => failedShare),
    p95Ms: durations.length === 0 ? undefined : Math.max(...durations),
    cost: meanOf(uses, ({ cost }) => cost),
    daily,
  };
}

/** The mean over requests; undefined where none has the figure. */
function meanOf(
  uses: readonly RecordedUse[],
  figureOf: (use: RecordedUse) => number | null | undefined,
): number | undefined {
  let sum = 0;
  let counted = 0;
  for (const use of uses) {
    const figure = figureOf(use);
    if (typeof figure === 'number') {
      sum += figure * use.requests;
      counted += use.requests;
    }
  }
  return counted === 0 ? undefined : sum / counted;
}

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
