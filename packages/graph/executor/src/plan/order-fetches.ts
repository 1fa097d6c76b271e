import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { createRoot } from './fetched-shape.ts';
import { fetchesOf } from './plan-steps.ts';
import { isSupplied } from './order-by-inputs.ts';
import type { FetchStep, OperationKind, OrderedFetch, PlanStep } from './plan.ts';

/** The fetches of a plan with deferred fragments, each after those that it waits for. */
export function orderFetches(
  root: PlanStep | undefined,
  kind: OperationKind,
  supergraph: Supergraph,
): readonly OrderedFetch[] {
  const all = fetchesOf(root);
  const ordered: OrderedFetch[] = [];

  /** Returns what a later step waits for. */
  const order = (step: PlanStep, after: readonly FetchStep[]): readonly FetchStep[] => {
    if (step.kind === 'fetch') {
      ordered.push({ fetch: step, after, fragment: step.fragment });
      return [step];
    }
    if (step.kind === 'parallel') {
      return step.steps.flatMap((child) => order(child, after));
    }
    const { deferred, steps } = step;
    if (deferred === undefined) {
      return steps.reduce<readonly FetchStep[]>((before, child) => order(child, before), after);
    }
    const depends = all.filter(({ id }) => id !== undefined && deferred.depends.includes(id));
    steps.reduce<readonly FetchStep[]>((before, child) => order(child, before), depends);
    return [];
  };
  if (root !== undefined) {
    order(root, []);
  }
  return withoutEarly(withAllInputs(ordered, kind, supergraph));
}

/**
 * The planner does not name the fetches that supply the values of contexts, or the types of interface objects. A fetch
 * without one of them waits for all before it.
 */
function withAllInputs(
  ordered: readonly OrderedFetch[],
  kind: OperationKind,
  supergraph: Supergraph,
): readonly OrderedFetch[] {
  const all = createRoot(
    supergraph,
    kind,
    ordered.map(({ fetch }) => fetch),
  );
  const before = new Map<FetchStep, ReadonlySet<FetchStep>>();
  // Fetches of many fragments mostly wait for the same ones.
  const shapes = new Map<string, FetchedShape>();
  const shapeOf = (fetches: readonly FetchStep[], key: string): FetchedShape => {
    const shape = shapes.get(key) ?? createRoot(supergraph, kind, fetches);
    shapes.set(key, shape);
    return shape;
  };
  return ordered.map((planned, index) => {
    const { fetch, after, fragment } = planned;
    const known = new Set(after);
    after.forEach((one) => before.get(one)?.forEach((another) => known.add(another)));
    before.set(fetch, known);
    if (fragment === undefined) {
      return planned;
    }
    const earlier = ordered.slice(0, index).map((one) => one.fetch);
    // In their order: a fetch adds to what those before it supply.
    const fetched = shapeOf(
      earlier.filter((one) => known.has(one)),
      earlier.flatMap((one, position) => (known.has(one) ? [position] : [])).join(),
    );
    if (leadsTo(fetched, fetch) && isSupplied(fetch, { fetched, all }, supergraph)) {
      return planned;
    }
    before.set(fetch, new Set(earlier));
    return { fetch, after: earlier, fragment };
  });
}

function leadsTo(root: FetchedShape, { path }: FetchStep): boolean {
  let shape: FetchedShape | undefined = root;
  for (const { name } of path) {
    shape = name === '' ? shape : shape?.fields.get(name)?.shape;
  }
  return shape !== undefined;
}

/**
 * A fetch that others wait for belongs to the first of their fragments. The planner never makes such plans, but a repair
 * orders fetches by their inputs, whatever their fragments are.
 */
function withoutEarly(ordered: readonly OrderedFetch[]): readonly OrderedFetch[] {
  const needed = new Set<FetchStep>();
  return ordered
    .toReversed()
    .map(({ fetch, after, fragment: planned }): OrderedFetch => {
      const fragment = needed.has(fetch) ? undefined : planned;
      if (fragment === undefined) {
        after.forEach((earlier) => needed.add(earlier));
      }
      return { fetch, after, fragment };
    })
    .toReversed();
}

/** The deferred fragments around each deferred fragment, by number. */
export function enclosingFragments(selections: SelectionSet): ReadonlyMap<number, ReadonlySet<number>> {
  const enclosing = new Map<number, ReadonlySet<number>>();
  const walk = (set: SelectionSet, around: ReadonlySet<number>): void => {
    for (const selection of set) {
      const deferral = selection.kind === 'fragment' ? selection.deferral : undefined;
      if (deferral === undefined) {
        walk(selection.selections, around);
      } else {
        enclosing.set(deferral.number, around);
        walk(selection.selections, new Set([...around, deferral.number]));
      }
    }
  };
  walk(selections, new Set());
  return enclosing;
}
