import { counted } from '@meridian/command-line';
import type { PlanExplanation } from '@meridian/executor';
import { explainPlan } from '@meridian/executor';
import type { ChangeKind, ChangeWithHits, Graph, ReadOperation } from '@meridian/schema-changes';
import { changeOf, isValidOperation } from '@meridian/schema-changes';

import type { PlannedOperation } from '../deploy-order/deploy-order.ts';
import type { Sides } from '../read/read-sides.ts';
import type { ReportedPlan } from '../report/report.ts';
import { compareFigures } from './compare-figures.ts';
import type { ReadFigures } from './figures.ts';
import { createPlanner } from './plan-operations.ts';
import { createPlanScope } from './plan-scope.ts';

/**
 * The operations that run over the old graph, and the operations of the changed manifests that run over the new one
 * only.
 */
export interface OperationsToPlan {
  readonly running: readonly ReadOperation[];
  readonly added: readonly ReadOperation[];
}

export interface PlanComparison {
  readonly changes: readonly ChangeWithHits[];
  /** Plans that differ, drawn. */
  readonly plans: readonly ReportedPlan[];
  /** All that were made: of operations whose part of the graph changed. */
  readonly planned: readonly PlannedOperation[];
}

/**
 * Compares the plans and figures of operations over both graphs. Only an operation whose part of the supergraph changed
 * is planned.
 */
export async function comparePlans(
  { running, added }: OperationsToPlan,
  { before, after }: Sides,
  readFigures: ReadFigures,
): Promise<PlanComparison> {
  const concerned = concernedOperations(running, before, after);
  const none: PlanComparison = { changes: [], plans: [], planned: [] };
  if (concerned.length + added.length === 0) {
    return none;
  }
  const [planBefore, planAfter] = [createPlanner(before.supergraph), createPlanner(after.supergraph)];
  const [figuresBefore, figuresAfter] = [readFigures(before.supergraph), readFigures(after.supergraph)];
  const changes: ChangeWithHits[] = [];
  const plans: ReportedPlan[] = [];
  const planned: PlannedOperation[] = [];
  for (const read of concerned) {
    const isValid = isValidOver(after, read);
    const [one, other] = [await planBefore(read), isValid ? await planAfter(read) : []];
    planned.push({ operation: read.operation, before: one, after: other });
    const [usual, newUsual] = [one.at(0), other.at(0)];
    if (usual === undefined || !isValid) {
      continue;
    }
    const [explained, newExplained] = [explainPlan(usual), newUsual && explainPlan(newUsual)];
    if (explained.text !== newExplained?.text) {
      changes.push(planChange(read, explained, newExplained));
      plans.push({ operation: read.operation.name, before: explained, after: newExplained ?? null });
    }
    const { text = '' } = read.operation;
    changes.push(...compareFigures(read.operation, figuresBefore(text), figuresAfter(text)));
  }
  for (const read of added) {
    planned.push({ operation: read.operation, before: [], after: await planAfter(read) });
  }
  return { changes, plans, planned };
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
  return operations.filter(({ facts, document }) => document !== undefined && one(facts) !== other(facts));
}

function isValidOver({ supergraph }: Graph, { document }: ReadOperation): boolean {
  return document !== undefined && isValidOperation(supergraph.apiSchema, document);
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
