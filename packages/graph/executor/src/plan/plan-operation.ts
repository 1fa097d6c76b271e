import type { OperationDefinitionNode } from 'graphql';
import { OperationTypeNode, print } from 'graphql';

import { OperationError } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { Planner } from '../planning/planner.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { createOccurringTypes } from '../supergraph/occurring-types.ts';
import { checkCoverage } from './check-coverage.ts';
import { checkInputs } from './check-inputs.ts';
import { eventFirst } from './event-first.ts';
import { hideArguments } from './hide-arguments.ts';
import type { OperationPlan } from './plan.ts';
import { plannerDocument } from './planner-document.ts';
import { readPlan } from './read-plan.ts';
import { repairInputs } from './repair-inputs.ts';
import { separateTypes } from './separate-types.ts';
import { withoutPlaceholders } from './without-placeholders.ts';
import { splitInterfaceObjectFetches } from './split-interface-object-fetches.ts';

export interface PlanningOptions {
  readonly supergraph: Supergraph;
  readonly planner: Pick<Planner, 'plan'>;
  /** The labels of progressive overrides that are set. */
  readonly labels: readonly string[];
  /** The tenant or client that the plan is for: callers take turns. */
  readonly caller: string | undefined;
}

/**
 * Plans an operation, for one combination of its conditions.
 *
 * @throws {OperationError} where it cannot be planned
 * @throws {PlannerBusyError} where it cannot be planned now
 */
export async function planOperation(
  definition: OperationDefinitionNode,
  selected: SelectionSet,
  { supergraph, planner, labels, caller }: PlanningOptions,
): Promise<OperationPlan> {
  const operationKind = definition.operation;
  const occurring = createOccurringTypes(supergraph);
  const selections = separateTypes(selected, operationKind, { supergraph, occurring });
  const forPlanner = plannerDocument(definition, selections, { supergraph, occurring });
  if (forPlanner === undefined) {
    return { operationKind, root: undefined, selections };
  }
  const hidden = hideArguments(forPlanner.document, supergraph.apiSchema);
  const result = await planner.plan(print(hidden.document), labels, caller);
  if ('rejection' in result) {
    throw new OperationError(result.rejection);
  }
  const planned = readPlan(result.node, { supergraph, clientVariable: forPlanner.clientVariable, hidden });
  const read = planned && withoutPlaceholders(planned, supergraph);
  const mended = read && repairInputs(read, operationKind, supergraph);
  const split = mended && splitInterfaceObjectFetches(mended, { operationKind, selections }, supergraph);
  const root = split && operationKind === OperationTypeNode.SUBSCRIPTION ? eventFirst(split) : split;
  checkInputs(root, operationKind, supergraph);
  checkCoverage(root, { operationKind, selections }, { supergraph, occurring });
  return { operationKind, root, selections };
}
