import { posix } from 'node:path';

import { composeContract, contractsFile, readContracts } from '@meridian/composition';
import { CommandError, UsageError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';
import { parseDocument } from 'yaml';

import type { GraphConfigFile } from '../limits/gateway-limits.ts';
import { routerFile } from '../limits/gateway-limits.ts';
import { CompositionError } from './composition-error.ts';
import type { Sides } from './read-sides.ts';
import type { Graph } from '../changes/graph.ts';
import { readGraph } from '../changes/graph.ts';
import type { Version } from './repository.ts';

/** A contract, or a graph of several, of both versions. */
export interface OtherGraph {
  /** Of `meridian.graphs`, else of contracts.yaml. */
  readonly name: string;
  readonly sides: Sides;
  /** Undefined for a contract that no graph serves. */
  readonly configs: GraphConfigs | undefined;
}

/** The own files of a graph in both versions; undefined for one that has router.yaml alone. */
export interface GraphConfigs {
  readonly before: GraphConfigFile | undefined;
  readonly after: GraphConfigFile | undefined;
}

/** The contracts of contracts.yaml, and the graphs of `meridian.graphs` in router.yaml. */
export interface OtherGraphs {
  /** Those to check, by the names of their usage. */
  readonly compared: readonly OtherGraph[];
  /** Those that only the base has in the repository, by name: a sentence for each. */
  readonly gone: ReadonlyMap<string, string>;
  /** The name of the whole graph; empty where it has none. */
  readonly whole: string;
  readonly wholeConfigs: GraphConfigs;
  /** All that may have usage. */
  readonly names: ReadonlySet<string>;
}

/**
 * Pairs the graphs of both versions by their names, else by their files where one has a new name. Contracts are composed
 * from the supergraphs of both. A graph that the base does not have has no clients; of graphs of the whole supergraph, the
 * first is the whole graph, which is not among the others.
 *
 * @throws {CompositionError} for a contract that does not compose
 */
export function readOtherGraphs(base: Version, head: Version, sides: Sides): OtherGraphs {
  const [before, after] = [graphsOf(base), graphsOf(head)];
  const [readBefore, readAfter] = [createRead(base, sides.before), createRead(head, sides.after)];
  const isNew = ({ name }: ServedGraph): boolean => !before.some((graph) => graph.name === name);
  const formerOf = (graph: ServedGraph): ServedGraph | undefined =>
    before.find(({ name, path }) => name === graph.name && path === graph.path) ??
    before.find(({ name }) => name === graph.name) ??
    before.find(({ name, path }) => path === graph.path && !after.some((other) => other.name === name));
  const isThere = (former: ServedGraph): boolean =>
    after.some(
      (graph) =>
        (former.isContract || !graph.isContract) &&
        (graph.name === former.name || (graph.path === former.path && isNew(graph))),
    );
  const whole = after.find(
    (graph) => graph.path === wholeFile && (formerOf(graph)?.path ?? wholeFile) === wholeFile,
  );
  const compared: OtherGraph[] = [];
  const gone = new Map(
    before
      .filter((former) => former.name !== '' && !isThere(former))
      .map(({ name, isContract }) => [name, `The ${isContract ? 'contract' : 'graph'} ${name} is gone`]),
  );
  for (const graph of after) {
    const { name } = graph;
    const former = graph === whole ? undefined : formerOf(graph);
    const graphBefore = former && readBefore(name, former.path);
    if (graphBefore !== undefined) {
      const graphAfter = readAfter(name, graph.path);
      if (graphAfter === undefined) {
        gone.set(name, `The supergraph of ${name} is gone: ${graph.path} is not in ${head.name}`);
      } else {
        compared.push({
          name,
          sides: { before: graphBefore, after: graphAfter },
          configs: graph.isContract ? undefined : { before: former?.config, after: graph.config },
        });
      }
    }
  }
  return {
    compared,
    gone,
    whole: whole?.name ?? '',
    wholeConfigs: { before: whole && formerOf(whole)?.config, after: whole?.config },
    names: new Set([...after.map(({ name }) => name), ...gone.keys()]),
  };
}

/** A graph, or a contract without one, by the file of its supergraph in the repository. */
export interface ServedGraph {
  /** Empty for the whole graph where it is the only one. */
  readonly name: string;
  readonly path: string;
  readonly isContract: boolean;
  readonly config?: GraphConfigFile | undefined;
}

/** The supergraph of the whole graph. */
export const wholeFile = 'supergraph.graphql';

function graphsOf(version: Version): readonly ServedGraph[] {
  const config: unknown = parseDocument(version.read(routerFile) ?? '').toJS();
  const meridian = isRecord(config) ? config['meridian'] : undefined;
  const named = isRecord(meridian) && isRecord(meridian['graphs']) ? meridian['graphs'] : { '': {} };
  const graphs = Object.entries(named).map(([name, graph]): ServedGraph => {
    const { supergraph, config: file } = isRecord(graph) ? graph : {};
    const text = typeof file === 'string' ? version.read(file) : undefined;
    return {
      name,
      path: typeof supergraph === 'string' ? posix.normalize(supergraph) : wholeFile,
      isContract: false,
      config: typeof file === 'string' && text !== undefined ? { name: file, text } : undefined,
    };
  });
  const contracts = Array.from(contractsOf(version).keys(), (name): ServedGraph => ({
    name,
    path: pathOf(name),
    isContract: true,
  }));
  return [...graphs, ...contracts.filter(({ path }) => graphs.every((graph) => graph.path !== path))];
}

/** One graph of a version, and the others. */
export interface ChosenGraph extends ServedGraph {
  readonly isWhole: boolean;
  readonly others: readonly ServedGraph[];
}

/**
 * Finds a graph or a contract by its name.
 *
 * @param name undefined for the whole graph
 * @throws {UsageError} with the names that there are
 */
export function chooseGraph(version: Version, name: string | undefined): ChosenGraph {
  const all = graphsOf(version);
  const whole = all.find(({ path }) => path === wholeFile) ?? {
    name: '',
    path: wholeFile,
    isContract: false,
  };
  const chosen = name === undefined ? whole : all.find((graph) => graph.name === name);
  if (chosen === undefined) {
    const names = all.map((graph) => graph.name).filter((each) => each !== '');
    throw new UsageError(
      `--graph ${name}: there is no such contract or graph; ${names.length === 0 ? 'there is one graph' : `there are ${names.join(', ')}`}`,
    );
  }
  return { ...chosen, isWhole: chosen === whole, others: all.filter((graph) => graph !== chosen) };
}

/**
 * Reads a graph that `chooseGraph` has found. A contract has the sources of the whole graph.
 *
 * @throws {CommandError} for a supergraph that is not there, and a contract that does not compose
 */
export function readChosenGraph(version: Version, { name, path, isWhole }: ChosenGraph, whole: Graph): Graph {
  if (isWhole) {
    return whole;
  }
  const graph = createRead(version, whole)(name, path);
  if (graph === undefined) {
    throw new CommandError(`The supergraph of ${name} is not in ${version.name}: ${path}`);
  }
  return graph;
}

type ReadOtherGraph = (name: string, path: string) => Graph | undefined;

/** A contract has the sources of the whole graph, by which its changes have places. */
function createRead(version: Version, whole: Graph): ReadOtherGraph {
  const contracts = new Map(Array.from(contractsOf(version), ([name, filter]) => [pathOf(name), filter]));
  return (name, path) => {
    const filter = contracts.get(path);
    if (filter !== undefined) {
      return { ...composed(name, whole.supergraph.sdl, filter), sources: whole.sources };
    }
    if (path === wholeFile) {
      return whole;
    }
    const text = version.read(path);
    return text === undefined ? undefined : readGraph(text);
  };
}

function contractsOf(version: Version): ReturnType<typeof readContracts> {
  const text = version.read(contractsFile);
  return text === undefined ? new Map() : readContracts(contractsFile, text);
}

function pathOf(contract: string): string {
  return `contracts/${contract}/supergraph.graphql`;
}

function composed(name: string, sdl: string, filter: Parameters<typeof composeContract>[1]): Graph {
  const { supergraphSdl, errors } = composeContract(sdl, filter);
  if (errors !== undefined) {
    const at = { subject: `contract ${name}`, file: contractsFile };
    throw new CompositionError(`Cannot compose the contract ${name}:`, errors, at);
  }
  return readGraph(supergraphSdl);
}
