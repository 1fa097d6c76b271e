import type { Planner, PlanningResult } from '@meridian/executor';
import { createExecutor, supergraphFault } from '@meridian/executor';
import { allocateBody } from '@meridian/http';
import { RouterConfigError } from '@meridian/router-config';

import type { createApolloExecutor } from './apollo-executor.ts';
import type { ClosableExecutor, ExecutorParts } from './executor.ts';

/**
 * The executors that `meridian.executor` offers. `fast_path`: `@meridian/executor`. `slow_path`: the same, which parses
 * every response, to rule out faults of the fast path. `apollo`: stock `@apollo/gateway`.
 */
export type ExecutorKind = 'fast_path' | 'slow_path' | 'apollo';

/**
 * Opens the executor of a kind over one supergraph.
 *
 * @throws {SupergraphError} when it rejects the supergraph
 * @throws {RouterConfigError} when its package is not installed
 */
export async function openExecutor(kind: ExecutorKind, options: ExecutorParts): Promise<ClosableExecutor> {
  if (kind === 'apollo') {
    const createExecutor = await loadApolloExecutor();
    return await createExecutor(options);
  }
  return await createMeridianExecutor(kind === 'fast_path' ? 'fast' : 'slow', options);
}

/**
 * Creates an executor of `@meridian/executor`.
 *
 * @param path `fast`: the fast path, as long as responses are as expected. `slow`: never.
 * @throws {SupergraphError} when the planner cannot read the supergraph
 */
async function createMeridianExecutor(
  path: 'fast' | 'slow',
  { createPlanner, measuredPlanner, storedPlanner, onSlowPathResponse, ...parts }: ExecutorParts,
): Promise<ClosableExecutor> {
  const planner = createPlanner();
  try {
    await startPlanning(storedPlanner(planner));
  } catch (error) {
    await planner.close();
    throw error;
  }
  const executor = createExecutor({
    ...parts,
    planner: storedPlanner(measuredPlanner(planner)),
    path,
    watch: { onSlowPathResponse },
    allocateResult: allocateBody,
    // `percent(n)` is drawn before equal runs are shared: see overrides/override-labels.ts.
    random: () => 1,
  });
  return { ...executor, close: () => planner.close() };
}

/**
 * Lets the planner load the supergraph, so that no request waits for it. A plan in a store shows that it could before.
 *
 * @throws {SupergraphError} where it cannot
 */
async function startPlanning(planner: Planner): Promise<void> {
  let result: PlanningResult;
  try {
    result = await planner.plan('{ __typename }');
  } catch (error) {
    throw supergraphFault(error);
  }
  if ('rejection' in result) {
    throw supergraphFault(result.rejection);
  }
}

/** Loads the part that needs `@apollo/gateway`, an optional dependency that is slow to load. */
async function loadApolloExecutor(): Promise<typeof createApolloExecutor> {
  try {
    const loaded = await import('./apollo-executor.ts');
    return loaded.createApolloExecutor;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      const fault =
        'meridian.executor: apollo needs a package: npm install @apollo/gateway@2.14.4 graphql@16, or remove the key';
      throw new RouterConfigError([fault]);
    }
    throw error;
  }
}
