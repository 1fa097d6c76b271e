import type { OperationPlan, PlanStep } from '@meridian/executor';
import type { DocumentNode } from 'graphql';
import { Kind, print, visit } from 'graphql';

/** The plan without the string literals of the client's operation, which may hold anything. */
export function withoutLiterals(plan: OperationPlan): OperationPlan {
  return plan.root === undefined ? plan : { ...plan, root: stepWithoutLiterals(plan.root) };
}

function stepWithoutLiterals(step: PlanStep): PlanStep {
  if (step.kind !== 'fetch') {
    return { ...step, steps: step.steps.map(stepWithoutLiterals) };
  }
  const document = documentWithoutLiterals(step.document);
  return { ...step, document, text: print(document) };
}

function documentWithoutLiterals(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.STRING]: (node) => ({ ...node, value: '…', block: false }),
  });
}
