import type { Graph } from '../changes/graph.ts';
import type { ReadOperation } from '../changes/impact/read-operation.ts';
import { readOperation } from '../changes/impact/read-operation.ts';

import type { ClientOwners } from './client-owners.ts';
import { createClientOwners } from './client-owners.ts';
import type { ReadClientUses } from './client-uses.ts';
import { createReadClientUses } from './client-uses.ts';
import { knownOperations } from './known-operations.ts';
import type { UsageWindow } from './usage-window.ts';
import { usageWindow } from './usage-window.ts';
import type { OwnersOf } from '../read/code-owners.ts';
import { readCodeOwners } from '../read/code-owners.ts';
import type { ClientOperation } from '../read/read-manifests.ts';
import { assertNamesFiles, readManifests } from '../read/read-manifests.ts';
import { readVersions } from '../read/read-sides.ts';
import { workingTree } from '../read/repository.ts';
import type { RecordedUsage } from '../read/usage-file.ts';
import type { Rules } from '../rules/rules.ts';
import { readRules, rulesFile } from '../rules/rules.ts';

/** A graph with its owners, and the operations that clients send to it. */
export interface KnownGraph {
  readonly graph: Graph;
  readonly operations: readonly ReadOperation[];
  readonly readClientUses: ReadClientUses;
  readonly window: UsageWindow;
  readonly ownersOf: OwnersOf;
  readonly clientOwners: ClientOwners;
}

/**
 * Reads the graph of a working tree, with what its manifests and usage know of its clients.
 *
 * @param usage absent where none is at hand
 * @throws {CommandError} for what cannot be read, and for a path of a manifest that names no file
 */
export function readKnownGraph(root: string, usage: RecordedUsage | undefined): KnownGraph {
  const head = workingTree(root);
  const rules = readRules(head.read(rulesFile));
  assertNamesFiles(rules.manifests, [head]);
  const ownersOf = readCodeOwners(head.read('.github/CODEOWNERS') ?? '');
  return knownGraph({
    graph: readVersions(head, head).after,
    listed: readManifests(head, rules.manifests, ownersOf),
    usage,
    rules,
    ownersOf,
    today: new Date(),
  });
}

export interface KnownGraphInput {
  readonly graph: Graph;
  readonly listed: readonly ClientOperation[];
  /** Absent where none is at hand. */
  readonly usage: RecordedUsage | undefined;
  readonly rules: Pick<Rules, 'usageDays' | 'ignore' | 'clients'>;
  readonly ownersOf: OwnersOf;
  readonly today: Date;
}

/** Joins a graph with its manifests and usage. Operations that do not run over it are left out. */
export function knownGraph({ graph, listed, usage, rules, ownersOf, today }: KnownGraphInput): KnownGraph {
  const window = usageWindow(usage, rules.usageDays, today);
  const sources = { listedBefore: listed, listedAfter: listed, usage, window, ignore: rules.ignore };
  return {
    graph,
    operations: [...knownOperations(sources).values()].flatMap(
      (operation) => readOperation(graph.supergraph.apiSchema, operation) ?? [],
    ),
    readClientUses: createReadClientUses(usage, window, rules.ignore),
    window,
    ownersOf,
    clientOwners: createClientOwners(rules.clients, listed),
  };
}
