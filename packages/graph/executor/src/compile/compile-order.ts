import type { FetchStep, OrderedFetch } from '../plan/plan.ts';
import type { CompiledFetch } from '../slow-path/compile-fetch.ts';

/** A fetch of a plan with deferred fragments, which waits for others before it. */
export interface CompiledOrderedFetch {
  readonly fetch: CompiledFetch;
  /** The indexes of the fetches that it waits for. */
  readonly after: readonly number[];
  /** The number of the deferred fragment that waits for it; undefined for a fetch that the first result waits for. */
  readonly fragment: number | undefined;
}

export function compileOrder(
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
