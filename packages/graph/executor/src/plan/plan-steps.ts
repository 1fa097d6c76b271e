import { createHash } from 'node:crypto';

import type { FetchStep, OperationPlan, PlanStep } from './plan.ts';

/** The fetches of a plan, in the order in which they are written. */
export function fetchesOf(step: PlanStep | undefined): readonly FetchStep[] {
  if (step === undefined) {
    return [];
  }
  return step.kind === 'fetch' ? [step] : step.steps.flatMap(fetchesOf);
}

/** The steps that follow each other: the parts of a sequence, or the step itself. */
export function stepsInOrder(step: PlanStep): readonly PlanStep[] {
  return step.kind === 'sequence' ? step.steps.flatMap(stepsInOrder) : [step];
}

export function inParallel(steps: readonly PlanStep[]): PlanStep {
  const [only, another] = steps;
  return only !== undefined && another === undefined ? only : { kind: 'parallel', steps };
}

/** A hash that is equal for equal plans: what is fetched from where, and the response that is made of it. */
export function hashPlan(plan: OperationPlan): string {
  return createHash('sha256').update(JSON.stringify(plan, withoutDocuments)).digest('hex');
}

/** The text of a fetch is the same as its document. */
function withoutDocuments(key: string, value: unknown): unknown {
  return key === 'document' || key === 'loc' ? undefined : value;
}
