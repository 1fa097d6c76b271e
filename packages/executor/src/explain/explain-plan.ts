import { fetchesOf } from '../plan/fetches-of.ts';
import type { OperationPlan, PlanStep } from '../plan/plan.ts';
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
 * Explains a plan: what is fetched from which subgraph, for which objects, in which order, and which requests may be
 * saved.
 */
export function explainPlan(plan: OperationPlan): PlanExplanation {
  return {
    fetchCount: fetchesOf(plan.root).length,
    roundCount: roundsOf(plan.root),
    text: planText(plan),
    flowchart: planFlowchart(plan),
  };
}

function roundsOf(step: PlanStep | undefined): number {
  if (step === undefined || step.kind === 'fetch') {
    return step === undefined ? 0 : 1;
  }
  const rounds = step.steps.map(roundsOf);
  return step.kind === 'parallel' ? Math.max(0, ...rounds) : rounds.reduce((sum, count) => sum + count, 0);
}
