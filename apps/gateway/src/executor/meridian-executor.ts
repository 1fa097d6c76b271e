import type { Planner, PlanningResult } from '@meridian/executor';
import { createExecutor, createPlannerThread, supergraphFault } from '@meridian/executor';

import type { ClosableExecutor, ExecutorParts } from './executor.ts';

/**
 * Creates an executor of `@meridian/executor`. Operations are planned in a thread of its own.
 *
 * @param path `fast`: the fast path, as long as responses are as expected. `slow`: never.
 * @throws {SupergraphError} when the planner cannot read the supergraph
 */
export async function createMeridianExecutor(
  path: 'fast' | 'slow',
  {
    supergraph,
    transport,
    responseBounds,
    isMerged,
    isDeferring,
    admitPlan,
    measuredPlanner,
    storedPlanner,
    isPlannerStartedLate,
    onSlowPathResponse,
  }: ExecutorParts,
): Promise<ClosableExecutor> {
  const planner = createPlannerThread(supergraph, { isStartedLate: isPlannerStartedLate });
  try {
    await startPlanning(storedPlanner(planner));
  } catch (error) {
    await planner.close();
    throw error;
  }
  const executor = createExecutor({
    supergraph,
    transport,
    planner: storedPlanner(measuredPlanner(planner)),
    path,
    responseBounds,
    isMerged,
    isDeferring,
    admitPlan,
    watch: { onSlowPathResponse },
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
