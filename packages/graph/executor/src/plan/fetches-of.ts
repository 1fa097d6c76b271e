import type { FetchStep, PlanStep } from './plan.ts';

/** The fetches of a plan, in the order in which they are written. */
export function fetchesOf(step: PlanStep | undefined): readonly FetchStep[] {
  if (step === undefined) {
    return [];
  }
  return step.kind === 'fetch' ? [step] : step.steps.flatMap(fetchesOf);
}
