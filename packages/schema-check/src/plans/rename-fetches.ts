import type { OperationPlan, PlanStep } from '@meridian/executor';

/** A plan, with other names of its subgraphs. */
export function renameFetches(plan: OperationPlan, names: ReadonlyMap<string, string>): OperationPlan {
  return names.size === 0 || plan.root === undefined ? plan : { ...plan, root: renamed(plan.root, names) };
}

function renamed(step: PlanStep, names: ReadonlyMap<string, string>): PlanStep {
  return step.kind === 'fetch'
    ? { ...step, subgraph: names.get(step.subgraph) ?? step.subgraph }
    : { ...step, steps: step.steps.map((inner) => renamed(inner, names)) };
}
