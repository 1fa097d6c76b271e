import { counted } from '@meridian/command-line';
import type { OperationPlan, PlanExplanation } from '@meridian/executor';
import { explainPlan } from '@meridian/executor';
import type { ChangeKind, ChangeWithHits, Graph, ReadOperation } from '@meridian/schema-changes';
import { changeOf } from '@meridian/schema-changes';
import { validate } from 'graphql';

import type { Sides } from '../read/read-sides.ts';
import type { ReportedPlan } from '../report/report.ts';
import { compareFigures } from './compare-figures.ts';
import type { ReadFigures } from './figures.ts';
import { createPlanner } from './plan-operations.ts';
import { createPlanScope } from './plan-scope.ts';

/** The plan of an operation over both graphs. */
export interface ComparedPlan {
  readonly operation: ReadOperation;
  readonly before: OperationPlan;
  /** Absent where it cannot be planned any more. */
  readonly after: OperationPlan | undefined;
}

export interface PlanComparison {
  readonly changes: readonly ChangeWithHits[];
  /** Plans that differ, drawn. */
  readonly plans: readonly ReportedPlan[];
  /** All that were made: those whose part of the graph changed. */
  readonly compared: readonly ComparedPlan[];
}

/**
 * Compares the plans and figures of operations over both graphs. Only an operation whose part of the supergraph changed is planned,
 * and only one that is still valid.
 */
export async function comparePlans(
  operations: readonly ReadOperation[],
  { before, after }: Sides,
  readFigures: ReadFigures,
): Promise<PlanComparison> {
  const concerned = concernedOperations(operations, before, after);
  if (concerned.length === 0) {
    return { changes: [], plans: [], compared: [] };
  }
  const [planBefore, planAfter] = [createPlanner(before.supergraph), createPlanner(after.supergraph)];
  const [figuresBefore, figuresAfter] = [readFigures(before.supergraph), readFigures(after.supergraph)];
  const changes: ChangeWithHits[] = [];
  const plans: ReportedPlan[] = [];
  const compared: ComparedPlan[] = [];
  for (const operation of concerned) {
    const [one, other] = [await planBefore(operation), await planAfter(operation)];
    if (one === undefined) {
      continue;
    }
    compared.push({ operation, before: one, after: other });
    const [planned, replanned] = [explainPlan(one), other && explainPlan(other)];
    if (planned.text !== replanned?.text) {
      changes.push(planChange(operation, planned, replanned));
      plans.push({ operation: operation.operation.name, before: planned, after: replanned ?? null });
    }
    const { text = '' } = operation.operation;
    changes.push(...compareFigures(operation.operation, figuresBefore(text), figuresAfter(text)));
  }
  return { changes, plans, compared };
}

function concernedOperations(
  operations: readonly ReadOperation[],
  before: Graph,
  after: Graph,
): readonly ReadOperation[] {
  if (before.supergraph === after.supergraph) {
    return [];
  }
  const [one, other] = [createPlanScope(before.supergraph), createPlanScope(after.supergraph)];
  return operations.filter(
    ({ facts, document }) =>
      document !== undefined &&
      one(facts) !== other(facts) &&
      validate(after.supergraph.apiSchema, document, undefined, { maxErrors: 1 }).length === 0,
  );
}

function planChange(
  { operation }: ReadOperation,
  before: PlanExplanation,
  after: PlanExplanation | undefined,
): ChangeWithHits {
  const kind = planKind(before, after);
  const change = changeOf(kind, `operation ${operation.name}`, {
    before: sizeOf(before),
    after: after && sizeOf(after),
  });
  const how = kind === 'OPERATION_NOT_PLANNED' ? 'invalid' : 'uses';
  return { ...change, hits: [{ operation, how, isCertain: true }] };
}

function planKind(before: PlanExplanation, after: PlanExplanation | undefined): ChangeKind {
  if (after === undefined) {
    return 'OPERATION_NOT_PLANNED';
  }
  if (after.roundCount > before.roundCount) {
    return 'OPERATION_ROUNDS_ADDED';
  }
  return after.fetchCount > before.fetchCount ? 'OPERATION_FETCHES_ADDED' : 'OPERATION_PLAN_CHANGED';
}

function sizeOf({ fetchCount, roundCount }: PlanExplanation): string {
  return `${counted(fetchCount, 'fetch', 'fetches')} in ${counted(roundCount, 'round')}`;
}
