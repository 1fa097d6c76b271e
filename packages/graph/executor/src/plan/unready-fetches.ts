import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { createRoot } from './fetched-shape.ts';
import { fetchesOf } from './plan-steps.ts';
import type { FetchStep, OperationKind, PlanStep } from './plan.ts';

/** The fetches done so far in a plan, and all of its fetches. */
export interface Progress {
  readonly fetched: FetchedShape;
  readonly all: FetchedShape;
}

/** The given fetches that are not ready when the plan makes them. */
export function unreadyFetches(
  root: PlanStep,
  fetches: readonly FetchStep[],
  { kind, supergraph }: { readonly kind: OperationKind; readonly supergraph: Supergraph },
  isReady: (fetch: FetchStep, progress: Progress) => boolean,
): ReadonlySet<FetchStep> {
  const unready = new Set<FetchStep>();
  if (fetches.length === 0) {
    return unready;
  }
  const all = createRoot(supergraph, kind, fetchesOf(root));
  /** The available fetches after a step, given those before it. */
  const follow = (step: PlanStep, before: readonly FetchStep[]): readonly FetchStep[] => {
    switch (step.kind) {
      case 'fetch':
        if (
          fetches.includes(step) &&
          !isReady(step, { fetched: createRoot(supergraph, kind, before), all })
        ) {
          unready.add(step);
        }
        return [...before, step];
      case 'parallel':
        return [...new Set([...before, ...step.steps.flatMap((child) => follow(child, before))])];
      case 'sequence':
      default:
        return step.steps.reduce((done, child) => follow(child, done), before);
    }
  };
  follow(root, []);
  return unready;
}
