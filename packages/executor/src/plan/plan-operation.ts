import { operationFromDocument } from '@apollo/federation-internals';
import type { OperationDefinitionNode } from 'graphql';
import { GraphQLError, OperationTypeNode } from 'graphql';

import { OperationError } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { checkCoverage } from './check-coverage.ts';
import { checkInputs } from './check-inputs.ts';
import { fitInterfaceObjects } from './fit-interface-objects.ts';
import { mendInputs } from './mend-inputs.ts';
import type { OperationPlan } from './plan.ts';
import { plannerDocument } from './planner-document.ts';
import { readPlan } from './read-plan.ts';

/**
 * Plans an operation, for one combination of its conditions.
 *
 * @throws {OperationError} where it cannot be planned
 */
export function planOperation(
  supergraph: Supergraph,
  definition: OperationDefinitionNode,
  selections: SelectionSet,
): OperationPlan {
  const operationKind = definition.operation;
  if (operationKind === OperationTypeNode.SUBSCRIPTION) {
    throw new OperationError('Subscriptions are not supported');
  }
  const planned = plannerDocument(definition, selections);
  if (planned === undefined) {
    return { operationKind, root: undefined, selections };
  }
  const { planner } = supergraph;
  const operation = operationFromDocument(planner.supergraph.apiSchema(), planned.document, {
    validate: false,
  });
  const read = readPlan(buildPlan(), { supergraph, clientVariable: planned.clientVariable });
  const mended = read && mendInputs(read, operationKind, supergraph);
  const root = mended && fitInterfaceObjects(mended, { operationKind, selections }, supergraph);
  checkInputs(root, supergraph);
  checkCoverage(supergraph, root, { operationKind, selections });
  return { operationKind, root, selections };

  function buildPlan(): ReturnType<typeof planner.buildQueryPlan>['node'] {
    try {
      return planner.buildQueryPlan(operation).node;
    } catch (error) {
      // A GraphQLError is the planner's word for an operation that would make it work for too long; anything else is an
      // assertion of its own that fails, as some do where `@requires` go back and forth between the same subgraphs.
      const message = error instanceof GraphQLError ? error.message : 'The operation cannot be planned';
      throw new OperationError(message, { cause: error });
    }
  }
}
