import process from 'node:process';
import { styleText } from 'node:util';

import { CommandError } from '@meridian/settings/command-line';
import { GraphQLError, buildSchema, parse, print } from 'graphql';
import { elementsOf } from '@meridian/composition/sdl/elements';
import { SupergraphError } from '@meridian/executor';

import type { Change } from '../changes/change.ts';
import { describeChange } from '../changes/change.ts';
import { schemaElements } from '../changes/api/schema-elements.ts';
import type { PastFile } from '../read/repository.ts';
import { historyOf, workingTree } from '../read/repository.ts';
import { readRules, rulesFile } from '../rules/rules.ts';
import type { Graph } from '../changes/graph.ts';
import { readGraph } from '../changes/graph.ts';
import type { Place } from '../changes/places/locate-changes.ts';
import { createLocator } from '../changes/places/locate-changes.ts';
import { compareGraphs } from '../changes/compare-graphs.ts';

/** The call of `pnpm graph history`. */
export interface HistoryCall {
  /** Of an element or a type; absent for the whole graph. */
  readonly coordinate: string | undefined;
  /** The first day; absent for all days. */
  readonly since: string | undefined;
  /** The most commits with changes. */
  readonly max: number;
  readonly format: 'text' | 'json';
  /** The repository. Default: the working directory. */
  readonly root?: string;
  /** Takes each part of the output as soon as it is known. Default: the standard output. */
  readonly write?: (text: string) => void;
}

const file = 'supergraph.graphql';

/**
 * Prints what changed in the graph, by commit, the newest first.
 *
 * @throws {CommandError} where git has no history of the supergraph, and for an element that the graph never had
 */
export function printHistory({
  coordinate,
  since,
  max,
  format,
  root = process.cwd(),
  write = (text) => process.stdout.write(text),
}: HistoryCall): void {
  const { ignore } = readRules(workingTree(root).read(rulesFile));
  const entries = schemaHistory(root, file, {
    coordinate,
    since,
    isIncluded: ({ kind }) => !(ignore.descriptions && kind === 'DESCRIPTION_CHANGED'),
  }).take(max);
  if (format === 'json') {
    write(`${JSON.stringify(entries.toArray(), null, 2)}\n`);
    return;
  }
  let isEmpty = true;
  let hasChanges = false;
  for (const entry of entries) {
    write(`${isEmpty ? '' : '\n'}${describeEntry(entry)}`);
    isEmpty = false;
    hasChanges ||= entry.changes.length > 0;
  }
  if (!hasChanges) {
    assertExists(coordinate, workingTree(root).read(file));
  }
  if (isEmpty) {
    write(
      `No commit of ${file} changed ${coordinate ?? 'the graph'}${since === undefined ? '' : ` since ${since}`}.\n`,
    );
  }
}

/** A name with a typing error has no changes either. */
function assertExists(coordinate: string | undefined, supergraph: string | undefined): void {
  if (coordinate === undefined || supergraph === undefined) {
    return;
  }
  const schema = buildSchema(supergraph, { assumeValid: true, assumeValidSDL: true });
  if (!schemaElements(schema).has(coordinate)) {
    throw new CommandError(`The graph has no ${coordinate}, and no commit changed one.`);
  }
}

function describeEntry({ commit, day, author, subject, changes, fault }: HistoryEntry): string {
  const lines = changes.map((change) => {
    const subgraphs = change.subgraphs.length === 0 ? '' : ` (${change.subgraphs.join(', ')})`;
    return `  ${change.level} ${change.kind}: ${describeChange(change)}${subgraphs}`;
  });
  return [
    styleText('bold', `${day} ${commit.slice(0, 8)} ${author}: ${subject}`),
    ...lines,
    ...(fault === undefined ? [] : [`  cannot be compared: ${fault}`]),
    '',
  ].join('\n');
}

/** A commit that changed the graph. */
interface HistoryEntry extends Pick<PastFile, 'commit' | 'day' | 'author' | 'subject'> {
  readonly changes: readonly PastChange[];
  /** The reason why the commit's graph cannot be compared; absent where it can. */
  readonly fault?: string;
}

interface PastChange extends Change {
  readonly subgraphs: readonly Place['subgraph'][];
}

interface HistoryQuery {
  /** Of an element or a type; absent for the whole graph. */
  readonly coordinate: string | undefined;
  /** The first day: `2026-01-31`; absent for all days. */
  readonly since: string | undefined;
  readonly isIncluded: (change: Change) => boolean;
}

/** So many commits are read. */
const maxCommits = 2000;

/**
 * Compares each commit of the supergraph with the one before it, the newest first. A commit without a change that was
 * asked for is left out. The first commit of the file has no changes: everything in it is new.
 *
 * @throws {CommandError} where git has no history of the file
 */
function* schemaHistory(root: string, file: string, query: HistoryQuery): Generator<HistoryEntry> {
  const history = historyOf(root, file, maxCommits);
  if (history === undefined) {
    throw new CommandError(`git has no history of ${file} here`);
  }
  const versions = history.commits.map(readLazily);
  for (const [index, version] of versions.entries()) {
    const { commit, day, author, subject } = version.past;
    if (query.since !== undefined && day < query.since) {
      return;
    }
    const previous = versions[index + 1];
    if (previous !== undefined && version.partOf(query.coordinate) === previous.partOf(query.coordinate)) {
      continue;
    }
    const found = changesSince(versions.slice(index + 1), version.graph(), query, history.isComplete);
    if (typeof found === 'string' || found.length > 0) {
      const outcome = typeof found === 'string' ? { changes: [], fault: found } : { changes: found };
      yield { commit, day, author, subject, ...outcome };
    }
  }
}

/** The changes since the latest of the earlier versions that can be read, or the reason why there is no comparison. */
function changesSince(
  earlier: readonly LazyVersion[],
  graph: Graph | string,
  { coordinate, isIncluded }: HistoryQuery,
  isComplete: boolean,
): readonly PastChange[] | string {
  if (typeof graph === 'string') {
    return graph;
  }
  for (const version of earlier) {
    const previous = version.graph();
    if (typeof previous !== 'string') {
      const locate = createLocator(previous, graph);
      return compareGraphs(previous, graph)
        .filter((change) => isIncluded(change) && isWithin(change.coordinate, coordinate))
        .map((change) =>
          Object.assign({ subgraphs: locate(change).map(({ subgraph }) => subgraph) }, change),
        );
    }
  }
  return isComplete ? [] : 'the history here starts with it (git fetch --unshallow)';
}

/** A version of the supergraph, read when it is needed, and once. */
interface LazyVersion {
  readonly past: PastFile;
  /** The graph, or the reason why it cannot be read. */
  readonly graph: () => Graph | string;
  /** The text that changes of a coordinate depend on: the definition of its type, or everything. */
  readonly partOf: (coordinate: string | undefined) => string;
}

/** True for a type and what is in it, not for `@directive`, `subgraph <name>` and `schema`. */
const isInType = /^(?!schema$)[A-Z_a-z]\w*(?:\.|$)/u;

function readLazily(past: PastFile): LazyVersion {
  let sdl: string | undefined;
  let graph: Graph | string | undefined;
  const text = (): string => (sdl ??= past.read() ?? '');
  return {
    past,
    graph: () => (graph ??= readOrFault(text())),
    partOf: (coordinate) =>
      coordinate === undefined || !isInType.test(coordinate)
        ? text()
        : definitionIn(text(), typeOf(coordinate)),
  };
}

function readOrFault(sdl: string): Graph | string {
  try {
    return readGraph(sdl);
  } catch (error) {
    if (error instanceof SupergraphError) {
      return error.message;
    }
    throw error;
  }
}

/** The text of a type's definition; the whole text where it does not parse. */
function definitionIn(sdl: string, typeName: string): string {
  try {
    return elementsOf(parse(sdl, { noLocation: true }))
      .filter(({ coordinate }) => coordinate === typeName)
      .map(({ node }) => print(node))
      .toArray()
      .join('\n');
  } catch (error) {
    if (error instanceof GraphQLError) {
      return sdl;
    }
    throw error;
  }
}

function typeOf(coordinate: string): string {
  return coordinate.split('.', 1)[0] ?? '';
}

/** True for the element itself, and for the elements in it. */
function isWithin(coordinate: string, element: string | undefined): boolean {
  return (
    element === undefined ||
    coordinate === element ||
    coordinate.startsWith(`${element}.`) ||
    coordinate.startsWith(`${element}(`)
  );
}
