import type { FastPathPlan } from '../fast-path/compile-fast-path.ts';
import { compileFastPath } from '../fast-path/compile-fast-path.ts';
import type { MergedSubgraphs } from '../merge/merged-subgraphs.ts';
import type { PlanMerging } from '../merge/plan-merging.ts';
import { mergingOf } from '../merge/plan-merging.ts';
import type { ParsedOperation } from '../operation/operation.ts';
import { fetchesOf } from '../plan/plan-steps.ts';
import type { FetchStep, OperationPlan, OrderedFetch, PlanStep } from '../plan/plan.ts';
import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { compileFetch } from '../slow-path/compile-fetch.ts';
import type { SlowPathPlan } from '../slow-path/compile-slow-path.ts';
import { compileSlowPath } from '../slow-path/compile-slow-path.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { SelectionSet } from '../operation/selection.ts';

/** A plan, compiled once for all runs. */
export interface CompiledPlan {
  readonly plan: OperationPlan;
  /** Absent where nothing has to be fetched, or a fragment is deferred. */
  readonly root: CompiledStep | undefined;
  /** The fetches, each after those that it waits for. Absent where no fragment is deferred. */
  readonly order: readonly CompiledOrderedFetch[] | undefined;
  /** Absent where each fetch is a request of its own. */
  readonly merging: PlanMerging | undefined;
  readonly slowPath: SlowPathPlan;
  /** Absent where the plan always takes the slow path. */
  readonly fastPath: FastPathPlan | undefined;
}

export type CompiledStep =
  | { readonly kind: 'sequence' | 'parallel'; readonly steps: readonly CompiledStep[] }
  | CompiledFetch;

/** The plan of a subscription. */
export interface CompiledSubscription {
  readonly plan: CompiledPlan;
  /** Its response is an event. */
  readonly fetch: CompiledFetch;
  /** Run one after another, for each event. */
  readonly rest: readonly CompiledStep[];
}

/**
 * The plan of a subscription, as `eventFirst` orders it.
 *
 * @throws {TypeError} for a plan of another operation
 */
export function compiledSubscription(plan: CompiledPlan): CompiledSubscription {
  const [fetch, ...rest] = plan.root?.kind === 'sequence' ? plan.root.steps : [];
  if (fetch?.kind !== 'fetch') {
    throw new TypeError('The plan is not one of a subscription');
  }
  return { plan, fetch, rest };
}

export interface CompileOptions {
  /** `slow`: without the fast path. */
  readonly path?: 'fast' | 'slow';
  /** Absent where no fetches are merged. */
  readonly subgraphs?: MergedSubgraphs | undefined;
}

export function compilePlan(
  supergraph: Supergraph,
  plan: OperationPlan,
  source: ParsedOperation,
  { path = 'fast', subgraphs }: CompileOptions = {},
): CompiledPlan {
  const fetches = fetchesOf(plan.root);
  const mayRecur = ({ subgraph, text, operationKind, contextVariables }: FetchStep): boolean =>
    operationKind === 'query' &&
    (contextVariables.length > 0 ||
      fetches.filter((other) => other.subgraph === subgraph && other.text === text).length > 1);
  const { root, order } = plan;
  // The fetches of deferred fragments would delay the first result.
  const merging = subgraphs && order === undefined ? mergingOf(root, subgraphs) : undefined;
  const compileOne = (step: FetchStep): CompiledFetch =>
    compileFetch(supergraph, step, {
      mayRecur: mayRecur(step),
      mayMerge: merging?.isMergeable(step) ?? false,
    });
  const compileStep = (step: PlanStep): CompiledStep =>
    step.kind === 'fetch' ? compileOne(step) : { kind: step.kind, steps: step.steps.map(compileStep) };
  return {
    plan,
    root: root && order === undefined ? compileStep(root) : undefined,
    order: order && compileOrder(order, compileOne),
    merging,
    slowPath: compileSlowPath(supergraph, plan, source),
    fastPath: path === 'fast' ? compileFastPath(supergraph, plan) : undefined,
  };
}

/** A fetch of a plan with deferred fragments, which waits for others before it. */
export interface CompiledOrderedFetch {
  readonly fetch: CompiledFetch;
  /** The indexes of the fetches that it waits for. */
  readonly after: readonly number[];
  /** The number of the deferred fragment that waits for it; undefined for a fetch that the first result waits for. */
  readonly fragment: number | undefined;
}

function compileOrder(
  order: readonly OrderedFetch[],
  compile: (step: FetchStep) => CompiledFetch,
): readonly CompiledOrderedFetch[] {
  const indexes = new Map(order.map(({ fetch }, index) => [fetch, index]));
  return order.map(({ fetch, after, fragment }) => ({
    fetch: compile(fetch),
    after: after.flatMap((step) => indexes.get(step) ?? []),
    fragment,
  }));
}

/** The approximate size of a compiled plan without selections, and of an operation that cannot be planned. */
export const leastPlanBytes = 10_000;

/** Measured: the functions that fetch, read and write it. */
const bytesPerSelection = 2000;

/** In the text of a fetch, in JSON and in its document, with two bytes for some characters. */
const bytesPerCharacter = 8;

/** The approximate memory of a compiled plan. */
export function planBytes({ root, selections }: OperationPlan): number {
  const texts = root === undefined ? [] : fetchesOf(root).map(({ text }) => text.length);
  return (
    leastPlanBytes +
    countSelections(selections) * bytesPerSelection +
    texts.reduce((sum, length) => sum + length * bytesPerCharacter, 0)
  );
}

function countSelections(selections: SelectionSet): number {
  return selections.reduce((count, selection) => count + 1 + countSelections(selection.selections), 0);
}
