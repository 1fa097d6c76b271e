// The generated comparison: one federation after another, for each some operations, for each of these every scenario,
// and those with faults several times. Labels of overrides are set in some runs and not in others.
import type {
  Executor,
  ExecutorOptions,
  Planner,
  PlanningResult,
  PreparedOperation,
  FastPathWatch,
  SubgraphTransport,
} from '../../src/index.ts';
import { createExecutor, createLocalPlanner } from '../../src/index.ts';
import { createReferenceExecutor } from '../support/reference/reference-executor.ts';
import type { RecordingTransport, Scenario } from './faulty-transport.ts';
import { createFaultyTransport, scenarios } from './faulty-transport.ts';
import type { FederationUnderTest } from './federation-under-test.ts';
import { createFederationUnderTest } from './federation-under-test.ts';
import { kindsOf } from './exercised.ts';
import { mergedSubgraphs } from './merged-subgraphs.ts';
import type { GeneratedOperation } from './generate-operation.ts';
import { generateOperation } from './generate-operation.ts';
import { needlessFetches } from './needless-fetches.ts';
import type { Outcome } from './outcome.ts';
import { differenceOf, outcomeOf } from './outcome.ts';
import type { StockGateway } from './stock-gateway.ts';
import { createRandom, hashOf } from '@meridian/testing';
import { createStockGateway, stockFaultOf } from './stock-gateway.ts';

export interface DifferentialOptions {
  readonly seed: string;
  /** At least so many cases are run: each is one run of one operation. */
  readonly cases: number;
  /** The executor that is compared with the reference, with the data and with stock. */
  readonly createTested?: (options: ExecutorOptions) => Executor;
  /** After so many differences it ends. */
  readonly maxDifferences?: number;
}

export interface DifferentialReport {
  readonly cases: number;
  readonly federations: number;
  /** The federations that take too long to compose. */
  readonly skipped: number;
  /** The differences, with everything that is needed to reproduce them. */
  readonly differences: readonly string[];
  /** The number of times that a known fault of Apollo's occurred, by name. */
  readonly knownFaults: ReadonlyMap<string, number>;
  /** Operations that stock answered as well. */
  readonly stockRuns: number;
  /** In how many cases each kind of thing was met. */
  readonly exercised: ReadonlyMap<string, number>;
}

interface Comparison {
  readonly federation: FederationUnderTest;
  readonly planner: Planner;
  /** Absent where stock is not asked. */
  readonly stock: StockGateway | undefined;
  readonly operationSeed: string;
}

const operationsPerFederation = 25;
/** Stock plans for itself, and slowly. */
const stockEvery = 10;
/**
 * The number of runs of a scenario with faults: each has other faults. The plan is the same, so it costs
 * little.
 */
const faultyRuns = 3;

export async function runDifferential(options: DifferentialOptions): Promise<DifferentialReport> {
  const { seed, cases, maxDifferences = 3 } = options;
  const differences: string[] = [];
  const knownFaults = new Map<string, number>();
  const exercised = new Map<string, number>();
  const tally = { cases: 0, federations: 0, skipped: 0, stockRuns: 0 };

  const isUnfinished = (): boolean => tally.cases < cases && differences.length < maxDifferences;

  while (isUnfinished()) {
    const federationSeed = `${seed}/${tally.federations + tally.skipped}`;
    const federation = createFederationUnderTest(federationSeed);
    if (federation === undefined) {
      tally.skipped += 1;
      continue;
    }
    // Stock refuses a supergraph with contexts, whose arguments it would never pass on.
    const stock = federation.contexts.size === 0 ? await createStockGateway(federation) : undefined;
    const planner = planningOnce(createLocalPlanner(federation.supergraph));
    tally.federations += 1;
    for (let index = 0; index < operationsPerFederation && isUnfinished(); index += 1) {
      const operationSeed = `${federationSeed}/${index}`;
      const generated = generateOperation(federation.supergraph.apiSchema, operationSeed, {
        isPlain: index % 5 === 0,
      });
      const isForStock = index % stockEvery === 0;
      await compareOperation(generated, {
        federation,
        planner,
        stock: isForStock ? stock : undefined,
        operationSeed,
      });
    }
    await stock?.close();
  }
  return { ...tally, differences, knownFaults, exercised };

  async function compareOperation(
    generated: GeneratedOperation,
    { federation, planner, stock, operationSeed }: Comparison,
  ): Promise<void> {
    const { operation, variables } = generated;
    const { supergraph } = federation;
    // Each run has subgraphs of its own; the plans are made once.
    let subgraphs: RecordingTransport | undefined;
    const transport: SubgraphTransport = {
      send: (request) => subgraphs?.send(request) ?? Promise.reject(new Error('Nothing runs')),
    };
    let drawn = 0;
    const random = (): number => drawn;
    const run = async (
      prepared: PreparedOperation,
      { scenario, seed, overrideLabels, percentage }: GeneratedRun,
    ): Promise<Outcome> => {
      subgraphs = createFaultyTransport(federation, scenario, seed);
      drawn = percentage / 100;
      return await outcomeOf(prepared, { variables, overrideLabels }, subgraphs);
    };
    const { watch, splicing } = endingSplicing(operationSeed);
    const merged = mergedSubgraphs(transport, (wasSplit) =>
      count(exercised, wasSplit ? 'merged requests' : 'merged requests that are sent again'),
    );
    // Every other operation, so that each fault is met with and without it.
    const merging = createRandom(`${operationSeed}/merging`).chance(0.5)
      ? { transport: merged, isMerged: () => true }
      : undefined;
    const createTested = options.createTested ?? ((given) => createExecutor({ ...given, ...merging, watch }));
    const tested = createTested({ supergraph, transport, planner, random }).prepare(operation);
    const reference = createReferenceExecutor({ supergraph, transport, planner, random }).prepare(operation);

    const note = (what: string, scenarioName: string, difference: string | undefined): void => {
      if (difference !== undefined) {
        const inputs = `${generated.text}\n${JSON.stringify(variables)}`;
        differences.push(`${operationSeed}, ${scenarioName}: ${what}\n${inputs}\n${difference}`);
      }
    };
    const kinds = kindsOf(generated, federation);
    for (const generatedRun of runsOf(operationSeed)) {
      const { scenario, endRate } = generatedRun;
      tally.cases += 1;
      kinds.forEach((kind) => count(exercised, kind));
      const expected = await run(reference, generatedRun);
      splicing.endRate = endRate;
      const actual = await run(tested, generatedRun);
      note('reference and tested', scenario.name, differenceOf(expected, actual));
      if (actual.data.startsWith('refused')) {
        if (actual.data === plannerFailed) {
          count(knownFaults, 'refused');
        } else {
          note('data and tested', scenario.name, actual.data);
        }
        continue;
      }
      if (scenario.faultRate > 0) {
        continue;
      }
      if (scenario.name === 'sound') {
        const plan = await reference.plan(variables, generatedRun.overrideLabels);
        const needless = needlessFetches(plan, supergraph);
        note('needless fetches', scenario.name, needless.length === 0 ? undefined : needless.join('\n'));
      }
      const judged = await federation.askMonolith(operation, variables, scenario.data);
      note('data and tested', scenario.name, differenceOf(judgement(judged, actual), actual));
      if (stock !== undefined && scenario.name === 'sound') {
        tally.stockRuns += 1;
        const { data, asksExternal } = await stock.ask(generated);
        const knownFault = stockFault(data, asksExternal) ?? stockFaultOf(generated, federation);
        const fault = data === actual.data ? undefined : knownFault;
        if (fault !== undefined) {
          count(knownFaults, `stock: ${fault}`);
        } else if (data !== actual.data) {
          note('stock and tested', scenario.name, `data\n  ${data ?? ''}\n  ${actual.data}`);
        }
      }
    }
  }
}

/** A fault of stock that shows only when it runs. */
function stockFault(data: string | undefined, asksExternal: boolean): string | undefined {
  if (data === undefined) {
    return 'no plan is made';
  }
  return asksExternal ? 'a field of a key is asked of a subgraph where it is external' : undefined;
}

/**
 * The planner makes no plan where `@requires` go back and forth between the same subgraphs: an assertion of its own
 * fails.
 */
const plannerFailed = 'refused: The operation cannot be planned';

interface GeneratedRun {
  readonly scenario: Scenario;
  readonly seed: string;
  /** The share of responses at which the executor is made to leave the fast path. */
  readonly endRate: number;
  readonly overrideLabels: ReadonlySet<string>;
  /** The draw for the overrides with a percentage, from 0, below 100. */
  readonly percentage: number;
}

function runsOf(operationSeed: string): readonly GeneratedRun[] {
  const random = createRandom(`${operationSeed}/runs`);
  const bailsOut = hashOf(operationSeed) % 4 === 0;
  return scenarios.flatMap((scenario) =>
    Array.from({ length: scenario.faultRate > 0 ? faultyRuns : 1 }, (_, index) => ({
      scenario,
      seed: index === 0 ? operationSeed : `${operationSeed}/${index}`,
      endRate: index === 2 || bailsOut ? 0.3 : 0,
      overrideLabels: new Set(['label-a', 'label-b'].filter(() => random.chance(0.5))),
      percentage: random.below(100),
    })),
  );
}

/** Ends the fast path at responses that the seed decides, at the given rate. */
function endingSplicing(seed: string): { watch: FastPathWatch; splicing: { endRate: number } } {
  const numbers = createRandom(`${seed}/splicing`);
  const splicing = { endRate: 0 };
  return {
    splicing,
    watch: { mayUseFastPath: () => !numbers.chance(splicing.endRate), onSlowPath: () => {} },
  };
}

/** A planner that plans each operation once for all executors. */
function planningOnce(planner: Planner): Planner {
  const plans = new Map<string, Promise<PlanningResult>>();
  return {
    plan(operation, labels = []) {
      const key = JSON.stringify([operation, labels]);
      const known = plans.get(key) ?? planner.plan(operation, labels);
      plans.set(key, known);
      return known;
    },
    close: () => planner.close(),
  };
}

/**
 * The outcome that follows from the data. Of errors, only their presence is compared: where two errors null one object,
 * one service reports the first, and several services report both.
 */
function judgement(
  { data, errors }: { data?: unknown; errors?: readonly unknown[] },
  actual: Outcome,
): Outcome {
  const areAlike = (errors ?? []).length > 0 === actual.errors.length > 0;
  return {
    data: JSON.stringify(data ?? null),
    errors: areAlike ? actual.errors : (errors ?? []).map(String),
    requests: actual.requests,
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
