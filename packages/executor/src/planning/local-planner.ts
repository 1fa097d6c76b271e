import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { BuildPlan } from './build-plan.ts';
import { createBuildPlan } from './build-plan.ts';
import type { Planner } from './planner.ts';

/**
 * Creates a planner in this thread: it blocks everything else, without a time limit. For tools and tests; a server
 * uses `createPlannerThread`.
 */
export function createLocalPlanner({ plannerSchema }: Pick<Supergraph, 'plannerSchema'>): Planner {
  let build: BuildPlan | undefined;
  return {
    async plan(operation, labels) {
      build ??= createBuildPlan(plannerSchema);
      return build(operation, labels);
    },
    close: () => Promise.resolve(),
  };
}
