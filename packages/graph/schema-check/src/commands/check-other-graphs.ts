import { posix } from 'node:path';

import { composeContract, contractsFile, describeIssue, readContracts } from '@meridian/composition';
import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';
import { parseDocument } from 'yaml';

import { routerFile } from '../limits/gateway-limits.ts';
import type { Sides } from '../read/read-sides.ts';
import type { Graph } from '../changes/graph.ts';
import { fingerprintOf } from '../changes/fingerprint.ts';
import { readGraph } from '../changes/graph.ts';
import type { Version } from '../read/repository.ts';
import type { CheckReport } from '../report/report.ts';

/** A contract, or a graph of several, of both versions. */
export interface OtherGraph {
  /** Of `meridian.graphs`, else of contracts.yaml. */
  readonly name: string;
  readonly sides: Sides;
}

/** The contracts of contracts.yaml, and the graphs of `meridian.graphs` in router.yaml. */
export interface OtherGraphs {
  /** Those to check, by the names of their usage. */
  readonly compared: readonly OtherGraph[];
  /** Those that only the base has in the repository, by name: a sentence for each. */
  readonly gone: ReadonlyMap<string, string>;
  /** The name of the whole graph; empty where it has none. */
  readonly whole: string;
  /** All that may have usage. */
  readonly names: ReadonlySet<string>;
}

/**
 * Pairs the graphs of both versions by their names, else by their files where one has a new name. Contracts are composed
 * from the supergraphs of both. A graph that the base does not have has no clients; of graphs of the whole supergraph, the
 * first is the whole graph, which is not among the others.
 *
 * @throws {CommandError} for a contract that does not compose
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
        compared.push({ name, sides: { before: graphBefore, after: graphAfter } });
      }
    }
  }
  return {
    compared,
    gone,
    whole: whole?.name ?? '',
    names: new Set([...after.map(({ name }) => name), ...gone.keys()]),
  };
}

/** A graph, or a contract without one, by the file of its supergraph in the repository. */
interface ServedGraph {
  /** Empty for the whole graph where it is the only one. */
  readonly name: string;
  readonly path: string;
  readonly isContract: boolean;
}

const wholeFile = 'supergraph.graphql';

function graphsOf(version: Version): readonly ServedGraph[] {
  const config: unknown = parseDocument(version.read(routerFile) ?? '').toJS();
  const meridian = isRecord(config) ? config['meridian'] : undefined;
  const named = isRecord(meridian) && isRecord(meridian['graphs']) ? meridian['graphs'] : { '': {} };
  const graphs = Object.entries(named).map(([name, graph]): ServedGraph => {
    const path = isRecord(graph) ? graph['supergraph'] : undefined;
    return { name, path: typeof path === 'string' ? posix.normalize(path) : wholeFile, isContract: false };
  });
  const contracts = Array.from(contractsOf(version).keys(), (name): ServedGraph => ({
    name,
    path: pathOf(name),
    isContract: true,
  }));
  return [...graphs, ...contracts.filter(({ path }) => graphs.every((graph) => graph.path !== path))];
}

type ReadOtherGraph = (name: string, path: string) => Graph | undefined;

function createRead(version: Version, { supergraph: { sdl } }: Graph): ReadOtherGraph {
  const contracts = new Map(Array.from(contractsOf(version), ([name, filter]) => [pathOf(name), filter]));
  return (name, path) => {
    const filter = contracts.get(path);
    if (filter !== undefined) {
      return composed(name, sdl, filter);
    }
    const text = path === wholeFile ? sdl : version.read(path);
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
    const faults = errors.map((error) => describeIssue(error, new Map()));
    throw new CommandError([`Cannot compose the contract ${name}:`, ...faults].join('\n\n'));
  }
  return readGraph(supergraphSdl);
}

const severity = ['passes', 'approved', 'undecided', 'fails'] as const;

/**
 * One report of all graphs: what the others add says which graph it is of. A change that the whole graph has with the same
 * verdict or a worse one is not repeated.
 */
export function mergeReports(
  whole: CheckReport,
  others: readonly (readonly [name: string, report: CheckReport])[],
): CheckReport {
  const verdicts = new Map(
    whole.changes.map(({ fingerprint, verdict }) => [fingerprint, severity.indexOf(verdict)]),
  );
  const reports = [whole, ...others.map(([, report]) => report)];
  const added = others.flatMap(([name, { changes }]) =>
    changes
      .filter(
        (change) => severity.indexOf(change.verdict) > (verdicts.get(fingerprintOf(change, null)) ?? -1),
      )
      .map((change) => Object.assign({}, change, { message: `graph ${name}: ${change.message}` })),
  );
  const changes = [...whole.changes, ...added];
  const approvals = whole.approvals.map((approval, index) => {
    const states = reports.map((report) => report.approvals[index]?.state);
    return states.includes('used') ? { ...approval, state: 'used' as const } : approval;
  });
  const worst = Math.max(
    0,
    ...changes.map(({ verdict }) => severity.indexOf(verdict)),
    ...approvals.map(({ state }) => (state === 'unknown' ? severity.indexOf('fails') : 0)),
  );
  const verdict = severity[worst] === 'approved' ? 'passes' : (severity[worst] ?? 'fails');
  const counts = { ...whole.counts };
  for (const { level } of added) {
    counts[level] += 1;
  }
  return {
    ...whole,
    verdict,
    counts,
    changes,
    approvals,
    plans: [
      ...whole.plans,
      ...others.flatMap(([name, { plans }]) =>
        plans.map((plan) => ({ ...plan, operation: `graph ${name}: ${plan.operation}` })),
      ),
    ],
  };
}
