import type { OperationPlan } from '../plan/plan.ts';
import { deferredFragments } from './deferred-fragments.ts';
import { fetchesByStep } from './list-fetches.ts';
import { planFlowchart } from './plan-flowchart.ts';
import { planText } from './plan-text.ts';

/** A plan for people. It has no value of a variable, but the literals of the operation. */
export interface PlanExplanation {
  /** The most subrequests: equal ones, and those without objects, are not sent. */
  readonly fetchCount: number;
  /** The longest chain of dependent fetches. */
  readonly roundCount: number;
  readonly text: string;
  /** A Mermaid flowchart. */
  readonly flowchart: string;
}

/**
 * Explains a plan: what is fetched from which subgraph, for which objects, in which order, which requests may be saved, and
 * which deferred fragments wait for which fetches.
 */
export function explainPlan(plan: OperationPlan): PlanExplanation {
  const byStep = fetchesByStep(plan);
  const fetches = [...byStep.values()];
  const fragments = plan.order === undefined ? [] : deferredFragments(plan.selections);
  return {
    fetchCount: fetches.length,
    roundCount: Math.max(0, ...fetches.map(({ round }) => round)),
    text: planText(plan, byStep, fragments),
    flowchart: planFlowchart(fetches, fragments),
  };
}
