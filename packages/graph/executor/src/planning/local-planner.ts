import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { BuildPlan } from './build-plan.ts';
import type { Planner } from './planner.ts';

/**
 * Creates a planner in this thread: it blocks everything else, without a time limit. For tools and tests; a server
 * uses `createPlannerThread`.
 */
export function createLocalPlanner({ plannerSchema }: Pick<Supergraph, 'plannerSchema'>): Planner {
  let build: BuildPlan | undefined;
  return {
    async plan(operation, labels) {
      // Only here: a process with a planner thread never needs Apollo's planner in its own.
      const { createBuildPlan } = await import('./build-plan.ts');
      build ??= createBuildPlan(plannerSchema);
      return build(operation, labels);
    },
    close: () => Promise.resolve(),
  };
}
