import type { Graph } from '../changes/graph.ts';
import type { ReadOperation } from '../changes/impact/known-operation.ts';
import { readOperation } from '../changes/impact/known-operation.ts';
import type { ClientOwners, ReadClientUses } from './client-uses.ts';
import { createClientOwners, createReadClientUses } from './client-uses.ts';
import type { UsageWindow } from './known-operations.ts';
import { knownOperations, usageWindow } from './known-operations.ts';
import type { OwnManifests, ReadLimits } from '../limits/gateway-limits.ts';
import { manifestFilesOf, noManifests, ownManifests, routerFile } from '../limits/gateway-limits.ts';
import type { OwnersOf } from '../read/code-owners.ts';
import { readCodeOwners } from '../read/code-owners.ts';
import type { ClientOperation } from '../read/read-manifests.ts';
import { assertNamesFiles, readManifests } from '../read/read-manifests.ts';
import type { ChosenGraph } from '../read/other-graphs.ts';
import { readChosenGraph } from '../read/other-graphs.ts';
import { readVersions } from '../read/read-sides.ts';
import type { Version } from '../read/repository.ts';
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

/** The graph of a working tree that a command is about. */
export interface GraphInRepository {
  /** The repository. */
  readonly root: string;
  /** Of this graph; absent where none is at hand. */
  readonly usage: RecordedUsage | undefined;
  /** Of several. Default: the whole graph, with all manifests. */
  readonly served?: ServedGraphs;
}

export interface ServedGraphs {
  /** By `chooseGraph`. */
  readonly chosen: ChosenGraph;
  /** The gateway's: its limits have the names of the manifests. */
  readonly readLimits: ReadLimits;
}

/**
 * Reads a graph of a working tree, with what its manifests and usage know of its clients.
 *
 * @throws {CommandError} for what cannot be read, and for a path of a manifest that names no file
 */
export function readKnownGraph({ root, usage, served }: GraphInRepository): KnownGraph {
  const head = workingTree(root);
  const { own, counts } = served === undefined ? allManifests : manifestsOf(head, served);
  const rules = readRules(head.read(rulesFile));
  assertNamesFiles(rules.manifests, [head]);
  const ownersOf = readCodeOwners(head.read('.github/CODEOWNERS') ?? '');
  const whole = readVersions(head, head).after;
  return knownGraph({
    graph: served === undefined ? whole : readChosenGraph(head, served.chosen, whole),
    listed: readManifests(
      head,
      [...rules.manifests, ...own.paths.map((path) => ({ path, client: undefined }))],
      ownersOf,
      counts,
    ),
    usage,
    unread: own.unread,
    rules,
    ownersOf,
    today: new Date(),
  });
}

interface GraphManifests {
  readonly own: OwnManifests;
  readonly counts: (file: string) => boolean;
}

const allManifests: GraphManifests = { own: noManifests, counts: () => true };

function manifestsOf(head: Version, { chosen, readLimits }: ServedGraphs): GraphManifests {
  const ownOf = ({ config }: Pick<ChosenGraph, 'config'>): OwnManifests =>
    ownManifests(head, config, readLimits);
  const own = ownOf(chosen);
  if (!chosen.isWhole) {
    return { own, counts: (file) => own.files.has(file) };
  }
  const named = manifestFilesOf(head, readLimits(head.read(routerFile), chosen.config).manifests);
  const foreign = new Set(chosen.others.flatMap((other) => [...ownOf(other).files]));
  return { own, counts: (file) => named.has(file) || !foreign.has(file) };
}

export interface KnownGraphInput {
  readonly graph: Graph;
  readonly listed: readonly ClientOperation[];
  /** Absent where none is at hand. */
  readonly usage: RecordedUsage | undefined;
  /** The manifests that are not files of the repository. */
  readonly unread?: readonly string[];
  readonly rules: Pick<Rules, 'usageDays' | 'ignore' | 'clients'>;
  readonly ownersOf: OwnersOf;
  readonly today: Date;
}

/** Joins a graph with its manifests and usage. Operations that do not run over it are left out. */
export function knownGraph(input: KnownGraphInput): KnownGraph {
  const { graph, listed, usage, unread, rules, ownersOf, today } = input;
  const window = usageWindow(usage, rules.usageDays, today, unread);
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
