import { composeContract, contractsFile, describeIssue, readContracts } from '@meridian/composition';
import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';
import { parse } from 'yaml';

import { routerFile } from '../limits/gateway-limits.ts';
import type { Sides } from '../read/read-sides.ts';
import { readGraph } from '../changes/graph.ts';
import type { Version } from '../read/repository.ts';
import type { CheckReport } from '../report/report.ts';

/** A contract, or a graph of several, of both versions. */
export interface OtherGraph {
  /** Of `meridian.graphs`, else of contracts.yaml. */
  readonly name: string;
  readonly sides: Sides;
}

/**
 * The contracts of contracts.yaml, composed from the supergraphs of both versions, and the graphs of `meridian.graphs` in
 * router.yaml whose supergraph is another file of the repository. Those that the base does not have have no clients.
 *
 * @throws {CommandError} for a contract that does not compose
 */
export function readOtherGraphs(base: Version, head: Version, sides: Sides): readonly OtherGraph[] {
  const [before, after] = [contractsOf(base), contractsOf(head)];
  const served = graphsOf(head);
  const contracts = Array.from(after, ([contract, filter]): OtherGraph | undefined => {
    const path = `contracts/${contract}/supergraph.graphql`;
    const name = served.get(path) ?? contract;
    const changed = composed(name, sides.after.supergraph.sdl, filter);
    served.delete(path);
    const former = before.get(contract);
    return (
      former && {
        name,
        sides: { before: composed(name, sides.before.supergraph.sdl, former), after: changed },
      }
    );
  });
  const others = Array.from(served, ([path, name]): OtherGraph | undefined => {
    const [former, changed] = [base.read(path), head.read(path)];
    return former === undefined || changed === undefined
      ? undefined
      : { name, sides: { before: readGraph(former), after: readGraph(changed) } };
  });
  return [...contracts, ...others].filter((graph) => graph !== undefined);
}

/** The contracts that only the base has. */
export function goneContracts(base: Version, head: Version): readonly string[] {
  const after = contractsOf(head);
  return [...contractsOf(base).keys()].filter((name) => !after.has(name));
}

function contractsOf(version: Version): ReturnType<typeof readContracts> {
  const text = version.read(contractsFile);
  return text === undefined ? new Map() : readContracts(contractsFile, text);
}

function composed(name: string, sdl: string, filter: Parameters<typeof composeContract>[1]): Sides['before'] {
  const { supergraphSdl, errors } = composeContract(sdl, filter);
  if (errors !== undefined) {
    const faults = errors.map((error) => describeIssue(error, new Map()));
    throw new CommandError([`Cannot compose the contract ${name}:`, ...faults].join('\n\n'));
  }
  return readGraph(supergraphSdl);
}

/** The names of the graphs by the paths of their supergraphs, relative to the repository. */
function graphsOf(head: Version): Map<string, string> {
  const config: unknown = parse(head.read(routerFile) ?? '');
  const meridian = isRecord(config) ? config['meridian'] : undefined;
  const graphs = isRecord(meridian) && isRecord(meridian['graphs']) ? meridian['graphs'] : {};
  return new Map(
    Object.entries(graphs).flatMap(([name, graph]) => {
      const path = isRecord(graph) ? graph['supergraph'] : undefined;
      return typeof path === 'string' && path !== 'supergraph.graphql'
        ? [[path.replace(/^\.\//u, ''), name] as const]
        : [];
    }),
  );
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
      .filter(({ fingerprint, verdict }) => severity.indexOf(verdict) > (verdicts.get(fingerprint) ?? -1))
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
