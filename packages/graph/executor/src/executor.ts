import type { JsonBounds } from '@meridian/json';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Kind } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { CompiledPlan } from './compile/compile-plan.ts';
import { compilePlan, compiledSubscription, leastPlanBytes, planBytes } from './compile/compile-plan.ts';
import type { ConditionValues } from './operation/conditions.ts';
import { findConditions } from './operation/conditions.ts';
import { fragmentsByName } from './operation/graphql-document.ts';
import { findLabels } from './operation/labels.ts';
import { createMergedSubgraphs } from './merge/merged-subgraphs.ts';
import type { Operation } from './operation/operation.ts';
import { OperationError } from './operation/operation.ts';
import { createPlanNames } from './operation/plan-names.ts';
import { readOperation } from './operation/read-operation.ts';
import type { OperationPlan } from './plan/plan.ts';
import { hashPlan } from './plan/plan-steps.ts';
import { planOperation } from './plan/plan-operation.ts';
import { keepPlans } from './planning/keep-plans.ts';
import { createLocalPlanner } from './planning/local-planner.ts';
import type { Planner } from './planning/planner.ts';
import { unlessAborted } from './planning/unless-aborted.ts';
import type { AllocateBuffer } from './fast-path/tape/tape.ts';
import { TapePool } from './fast-path/tape/tape-pool.ts';
import type { ExecutionResult, SubscriptionStream } from './result.ts';
import type { RunParameters } from './run/run-parameters.ts';
import type { FastPathWatch } from './run/run-data.ts';
import type { PlannedSubscription } from './run/event-stream.ts';
import { keepEventStream, openEventStream } from './run/event-stream.ts';
import { runPlan } from './run/run-plan.ts';
import { shareEventRuns } from './run/share-event-runs.ts';
import type { Supergraph } from './supergraph/load-supergraph.ts';
import type { SubgraphTransport } from './transport/subgraph-transport.ts';

export interface ExecutorOptions<Run extends RunParameters = RunParameters> {
  readonly supergraph: Supergraph;
  readonly transport: SubgraphTransport<Run>;
  /** Belongs to the caller, who closes it. Default: operations are planned in this thread. */
  readonly planner?: Planner;
  /**
   * A number from 0, below 1, that decides the percentages of progressive overrides. Default: `Math.random`.
   */
  readonly random?: () => number;
  readonly watch?: FastPathWatch;
  /**
   * `slow`: parses every response to objects, to rule out faults of the fast path. `fast`: parses only the responses
   * that the fast path cannot read. Default: `fast`.
   */
  readonly path?: 'fast' | 'slow';
  /** The approximate memory that the compiled plans of all operations may take, in bytes. Default: 192 MiB. */
  readonly maxPlanBytes?: number;
  /** Bounds on the JSON of a response that is parsed. Default: 500 levels, 2 000 000 values, 100 000 names. */
  readonly responseBounds?: JsonBounds | undefined;
  /** Allocates the bytes of a result that the fast path writes. Default: `Buffer.allocUnsafe`. */
  readonly allocateResult?: AllocateBuffer | undefined;
  /** True: a fragment with `@defer` comes after the first result. Default: the directive is ignored. */
  readonly isDeferring?: boolean | undefined;
  /**
   * The subgraphs that get the entity fetches of a round as one request. Where its response has an error that could be any
   * fetch's, each fetch is sent again, alone. Default: none.
   */
  readonly isMerged?: ((subgraph: string) => boolean) | undefined;
  /** Called with the plan of a run, before anything is sent; the run rejects with what it throws. Default: any plan runs. */
  readonly admitPlan?: ((plan: OperationPlan, run: Run) => void) | undefined;
}

/** An operation whose run-independent work is done, now or at the first run that needs it. */
export interface PreparedOperation<Run extends RunParameters = RunParameters, Plan = OperationPlan> {
  /**
   * Runs the operation. Faults of subgraphs are in the result.
   *
   * @throws {OperationError} where it cannot be planned
   * @throws {PlannerBusyError} where it cannot be planned now
   */
  run(run: Run): Promise<ExecutionResult>;
  /**
   * Opens the stream of a subscription. Its events hold faults of entity fetches, like the result of a run. The signal
   * ends the stream, which then rejects with the signal's reason. With `kept`, resolves with that stream, which holds
   * nothing of the executor that opened it any more.
   *
   * @throws {OperationError} where it cannot be planned, or is planned in another way than the stream to keep
   * @throws {PlannerBusyError} where it cannot be planned now
   * @throws {SubscriptionFailure} where the subgraph refuses it, also while the stream is iterated
   */
  subscribe(run: Run): Promise<SubscriptionStream>;
  /**
   * The plan for the conditions that these variables make, and for these labels.
   *
   * @throws {OperationError} where it cannot be planned
   * @throws {PlannerBusyError} where it cannot be planned now
   */
  plan(
    variables: RunParameters['variables'],
    overrideLabels?: RunParameters['overrideLabels'],
    caller?: RunParameters['caller'],
  ): Promise<Plan>;
}

/** Runs operations over the subgraphs of one supergraph. Interceptors see the properties that a `Run` has in addition. */
export interface Executor<Run extends RunParameters = RunParameters, Plan = OperationPlan> {
  /** @throws {OperationError} where the document has no operation of that name */
  prepare(operation: Operation): PreparedOperation<Run, Plan>;
}

export function createExecutor<Run extends RunParameters = RunParameters>({
  supergraph,
  transport,
  planner = createLocalPlanner(supergraph),
  random = Math.random,
  watch,
  path = 'fast',
  maxPlanBytes = 201_326_592,
  responseBounds,
  allocateResult,
  isDeferring = false,
  isMerged,
  admitPlan,
}: ExecutorOptions<Run>): Executor<Run> {
  const planning = { supergraph, planner: keepPlans(planner) };
  // The plans of all operations, for each combination of conditions and labels. Plans under way and failures are
  // cached too, so that each is tried once.
  const variants = new LRUCache<string, Variant>({
    maxSize: maxPlanBytes,
    sizeCalculation: ({ ready }) => (ready === undefined ? leastPlanBytes : planBytes(ready.plan)),
  });
  const compileOptions = { path, subgraphs: isMerged && createMergedSubgraphs(isMerged) };
  const runOptions = { transport, watch, tapes: new TapePool({ allocateResult }), responseBounds };
  const runPlanned = ({ plan, compile }: PlannedVariant, run: Run): Promise<ExecutionResult> => {
    if (plan.operationKind === 'subscription') {
      return Promise.reject(new OperationError('A subscription has no single result'));
    }
    run.observer?.onPlan(plan);
    admitPlan?.(plan, run);
    return runPlan(compile(), run, runOptions);
  };
  const subscribePlanned = (
    { plan, subscription }: PlannedVariant,
    run: Run,
  ): SubscriptionStream | Promise<SubscriptionStream> => {
    if (plan.operationKind !== 'subscription' || plan.root === undefined) {
      throw new OperationError('The operation is not a subscription, or selects nothing');
    }
    if (transport.subscribe === undefined) {
      throw new OperationError('Subscriptions are not enabled');
    }
    admitPlan?.(plan, run);
    if (run.kept !== undefined) {
      return keepEventStream(run.kept, { planned: subscription(), run, options: runOptions });
    }
    run.observer?.onPlan(plan);
    return openEventStream({ planned: subscription(), run, options: runOptions });
  };
  let preparedCount = 0;
  return {
    prepare({ document, name }) {
      const definition = findOperation(document, name);
      const conditions = findConditions(document, definition, isDeferring);
      const labels = findLabels(document, supergraph);
      preparedCount += 1;
      const number = String(preparedCount);

      const variantFor = ({ variables, overrideLabels, caller }: PlanInputs): Variant => {
        const values = conditions.valuesIn(variables);
        const set = labels.setIn(overrideLabels, random);
        const isOnly = values.size === 0 && set.length === 0;
        const key = isOnly ? number : [number, [...values.values()].map(Number).join(''), ...set].join(' ');
        const known = variants.get(key);
        if (known !== undefined) {
          return known;
        }
        const variant: Variant = { ready: undefined, planning: plan(values, set, caller) };
        variants.set(key, variant);
        variant.planning.then(
          (ready) => void variants.set(key, { ...variant, ready }),
          (error: unknown) => {
            if (!(error instanceof OperationError)) {
              variants.delete(key);
            }
          },
        );
        return variant;
      };
      const plan = async (
        values: ConditionValues,
        set: readonly string[],
        caller: string | undefined,
      ): Promise<PlannedVariant> => {
        const selections = readOperation({
          definition,
          fragments: fragmentsByName(document),
          conditions: values,
          names: createPlanNames(document, supergraph.knownNames),
          isDeferring,
        });
        const made = await planOperation(definition, selections, { ...planning, labels: set, caller });
        let compiled: CompiledPlan | undefined;
        let subscription: PlannedSubscription | undefined;
        const compile = (): CompiledPlan =>
          (compiled ??= compilePlan(supergraph, made, { document, definition }, compileOptions));
        return {
          plan: made,
          compile,
          subscription: () =>
            (subscription ??= {
              subscription: compiledSubscription(compile()),
              hash: hashPlan(made),
              eventRuns: shareEventRuns(),
            }),
        };
      };

      return {
        plan: async (variables, overrideLabels, caller) =>
          (await variantFor({ variables, overrideLabels, caller }).planning).plan,
        async subscribe(run) {
          const planned = await unlessAborted(variantFor(run).planning, run.signal);
          return await subscribePlanned(planned, run);
        },
        run(run) {
          try {
            const { ready, planning: underWay } = variantFor(run);
            return ready === undefined
              ? unlessAborted(underWay, run.signal).then((planned) => runPlanned(planned, run))
              : runPlanned(ready, run);
          } catch (error) {
            return Promise.reject(error);
          }
        },
      };
    },
  };
}

/** The properties of a run that affect its plan, or its turn. */
type PlanInputs = Pick<RunParameters, 'variables' | 'overrideLabels' | 'caller'>;

/** An operation for one combination of its conditions and labels. */
interface Variant {
  /** Once it is planned. */
  readonly ready: PlannedVariant | undefined;
  readonly planning: Promise<PlannedVariant>;
}

/**
 * A plan. The first run compiles it: the compiled half of its memory is only taken for operations that clients send.
 */
interface PlannedVariant {
  readonly plan: OperationPlan;
  readonly compile: () => CompiledPlan;
  /** Only for the plan of a subscription. */
  readonly subscription: () => PlannedSubscription;
}

function findOperation({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [found, another] =
    name === undefined ? operations : operations.filter((one) => one.name?.value === name);
  if (found === undefined) {
    throw new OperationError(
      name === undefined ? 'The document has no operation' : `The document has no operation "${name}"`,
    );
  }
  if (another !== undefined) {
    throw new OperationError('The document has several operations, and none was named');
  }
  return found;
}
