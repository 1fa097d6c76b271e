import type { Planner, Supergraph } from '@meridian/executor';
import { createPlannerThread } from '@meridian/executor';
import { print } from 'graphql';

/** By the supergraph, whose subgraphs may be at any port. */
const planners = new Map<string, Planner>();

/**
 * The planner of the gateways with this supergraph in all suites of a worker: a thread takes more CPU time to start
 * than the rest of a gateway.
 */
export function sharedPlanner(supergraph: Pick<Supergraph, 'plannerSchema'>): Planner {
  const key = print(supergraph.plannerSchema).replaceAll(/127\.0\.0\.1:\d+/gu, '');
  const planner =
    planners.get(key) ?? createPlannerThread(supergraph, { isStartedLate: true, maxIdleMs: 10_000 });
  planners.set(key, planner);
  return { ...planner, close: () => Promise.resolve() };
}
