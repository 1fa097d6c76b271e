import type { FastPathPlan } from '../fast-path/compile-fast-path.ts';
import { compileFastPath } from '../fast-path/compile-fast-path.ts';
import type { ParsedOperation } from '../operation/parsed-operation.ts';
import { fetchesOf } from '../plan/fetches-of.ts';
import type { FetchStep, OperationPlan, PlanStep } from '../plan/plan.ts';
import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { compileFetch } from '../slow-path/compile-fetch.ts';
import type { SlowPathPlan } from '../slow-path/compile-slow-path.ts';
import { compileSlowPath } from '../slow-path/compile-slow-path.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { CompiledOrderedFetch } from './compile-order.ts';
import { compileOrder } from './compile-order.ts';

/** A plan, compiled once for all runs. */
export interface CompiledPlan {
  readonly plan: OperationPlan;
  /** Absent where nothing has to be fetched, or a fragment is deferred. */
  readonly root: CompiledStep | undefined;
  /** The fetches, each after those that it waits for. Absent where no fragment is deferred. */
  readonly order: readonly CompiledOrderedFetch[] | undefined;
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

export function compilePlan(
  supergraph: Supergraph,
  plan: OperationPlan,
  source: ParsedOperation,
  path: 'fast' | 'slow' = 'fast',
): CompiledPlan {
  const fetches = fetchesOf(plan.root);
  const mayRecur = ({ subgraph, text, operationKind, contextVariables }: FetchStep): boolean =>
    operationKind === 'query' &&
    (contextVariables.length > 0 ||
      fetches.filter((other) => other.subgraph === subgraph && other.text === text).length > 1);
  const compileOne = (step: FetchStep): CompiledFetch => compileFetch(supergraph, step, mayRecur(step));
  const compileStep = (step: PlanStep): CompiledStep =>
    step.kind === 'fetch' ? compileOne(step) : { kind: step.kind, steps: step.steps.map(compileStep) };
  const { root, order } = plan;
  return {
    plan,
    root: root && order === undefined ? compileStep(root) : undefined,
    order: order && compileOrder(order, compileOne),
    slowPath: compileSlowPath(supergraph, plan, source),
    fastPath: path === 'fast' ? compileFastPath(supergraph, plan) : undefined,
  };
}
