import { readJoins } from '@meridian/composition/sdl/joins';
import { counted } from '@meridian/settings/command-line';
import type { OperationPlan, PlanExplanation, PlanStep, Supergraph } from '@meridian/executor';
import { explainPlan, findLabels } from '@meridian/executor';
import { elementsOf } from '@meridian/composition/sdl/elements';
import { print } from 'graphql';

import type { Graph } from '../changes/graph.ts';
import type { ChangeWithHits } from '../changes/impact/find-hits.ts';
import { operationChange } from '../changes/impact/find-hits.ts';
import type { ReadOperation } from '../changes/impact/known-operation.ts';
import type { ChangeKind } from '../changes/kinds.ts';
import { renamedSubgraphs } from '../changes/federation/compare-joins.ts';
import { isValidOperation } from '../changes/impact/validate-operation.ts';
import type { PlannedOperation } from '../deploy-order/deploy-order.ts';
import type { Sides } from '../read/read-sides.ts';
import type { ReportedPlan } from '../report/report.ts';
import { compareFigures } from './compare-figures.ts';
import type { ReadFigures } from './figures.ts';
import { createPlanner } from './plan-operations.ts';
import type { OperationFacts } from '../changes/impact/operation-facts.ts';

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
  const names = renamedSubgraphs(readJoins(before.supergraph.document), readJoins(after.supergraph.document));
  for (const read of concerned) {
    const isValid = isValidOver(after, read);
    const [one, other] = [await planBefore(read), isValid ? await planAfter(read) : []];
    planned.push({ operation: read.operation, before: one, after: other });
    const [usual, newUsual] = [one[0], other[0]];
    if (usual === undefined || !isValid) {
      continue;
    }
    const pairs: PlanPair[] = [{ before: usual, after: newUsual, labels: [] }];
    const newMoved = other[1];
    if (newMoved !== undefined && newUsual !== undefined && differ(newUsual, newMoved)) {
      pairs.push({ before: one[1] ?? usual, after: newMoved, labels: labelsOf(read, after.supergraph) });
    }
    for (const { before: oldPlan, after: newPlan, labels } of pairs) {
      if (newPlan === undefined || differ(renameFetches(oldPlan, names), newPlan)) {
        const [drawn, newDrawn] = [explainPlan(oldPlan), newPlan && explainPlan(newPlan)];
        changes.push(planChange(read, drawn, newDrawn, labels));
        plans.push({ operation: read.operation.name, labels, before: drawn, after: newDrawn ?? null });
      }
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

interface PlanPair {
  readonly before: OperationPlan;
  /** Absent where it cannot be planned. */
  readonly after: OperationPlan | undefined;
  /** The labels of progressive overrides that are set; none for the plan without them. */
  readonly labels: readonly string[];
}

function labelsOf({ document }: ReadOperation, supergraph: Graph['supergraph']): readonly string[] {
  return document === undefined ? [] : findLabels(document, supergraph).names;
}

/** A plan, with other names of its subgraphs. */
function renameFetches(plan: OperationPlan, names: ReadonlyMap<string, string>): OperationPlan {
  return names.size === 0 || plan.root === undefined ? plan : { ...plan, root: renamed(plan.root, names) };
}

function renamed(step: PlanStep, names: ReadonlyMap<string, string>): PlanStep {
  return step.kind === 'fetch'
    ? { ...step, subgraph: names.get(step.subgraph) ?? step.subgraph }
    : { ...step, steps: step.steps.map((inner) => renamed(inner, names)) };
}

function differ(one: OperationPlan, other: OperationPlan): boolean {
  return explainPlan(one).text !== explainPlan(other).text;
}

function planChange(
  { operation }: ReadOperation,
  before: PlanExplanation,
  after: PlanExplanation | undefined,
  labels: readonly string[],
): ChangeWithHits {
  const kind = planKind(before, after);
  const withLabels = labels.length === 0 ? '' : ` with ${labels.join(' and ')}`;
  const sizes = { before: sizeOf(before), after: after && `${sizeOf(after)}${withLabels}` };
  return operationChange(kind, operation, sizes, kind === 'OPERATION_NOT_PLANNED' ? 'invalid' : 'uses');
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

/**
 * The part of a supergraph that the plan and the figures of an operation depend on, as text: where it is equal in two
 * supergraphs, so are they. That is the heads of the types that the operation meets, with their keys, and of those that
 * implement them; the fields that it selects; the enums and input objects that it sends; and the fields that a key, a
 * `@requires` or a `@provides` names anywhere.
 */
type PlanScope = (facts: OperationFacts) => string;

function createPlanScope({ document }: Supergraph): PlanScope {
  const texts = new Map<string, string>();
  const implementors = new Map<string, string[]>();
  const required = new Map<string, string[]>();
  const requiredNames = namesInFieldSets(document);
  for (const { coordinate, parent, node } of elementsOf(document)) {
    if (parent === undefined) {
      const hasHead = 'interfaces' in node;
      const text = print(hasHead ? { ...node, fields: [] } : node);
      texts.set(coordinate, text);
      for (const { name } of hasHead ? (node.interfaces ?? []) : []) {
        implementors.set(name.value, [...(implementors.get(name.value) ?? []), text]);
      }
      continue;
    }
    const text = print(node);
    texts.set(coordinate, text);
    if (!parent.includes('.') && requiredNames.has(coordinate.slice(parent.length + 1))) {
      required.set(parent, [...(required.get(parent) ?? []), text]);
    }
  }
  const shared = [texts.get('schema'), ...Array.from(required.values(), (ofType) => ofType.join('\n'))];
  const sharedText = shared.join('\n');
  return ({ resolvedFields, types, variableTypes }) =>
    [
      sharedText,
      ...[...types].toSorted().flatMap((name) => [texts.get(name)].concat(implementors.get(name) ?? [])),
      ...[...resolvedFields].toSorted().map((name) => texts.get(name)),
      ...[...variableTypes].toSorted().map((name) => texts.get(name)),
    ].join('\n');
}

/** Every name in a field set of a supergraph, whatever type it is of. */
function namesInFieldSets(document: Supergraph['document']): ReadonlySet<string> {
  const fieldSets = elementsOf(document)
    .flatMap(({ directives }) => directives)
    .filter(({ name }) => name.value === 'join__type' || name.value === 'join__field')
    .flatMap(({ arguments: nodes = [] }) => nodes)
    .filter(({ name }) => name.value !== 'graph' && name.value !== 'type');
  return new Set(fieldSets.flatMap(({ value }) => print(value).match(/[A-Za-z_]\w*/gu) ?? []));
}
