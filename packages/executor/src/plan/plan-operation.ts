import { operationFromDocument } from '@apollo/federation-internals';
import type { OperationDefinitionNode } from 'graphql';
import { GraphQLError, OperationTypeNode } from 'graphql';

import { OperationError } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { checkCoverage } from './check-coverage.ts';
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
  const root = readPlan(buildPlan(), { supergraph, clientVariable: planned.clientVariable });
  checkCoverage(supergraph, root, { operationKind, selections });
  return { operationKind, root, selections };

  function buildPlan(): ReturnType<typeof planner.buildQueryPlan>['node'] {
    try {
      return planner.buildQueryPlan(operation).node;
    } catch (error) {
      // The planner's word for an operation that would make it work for too long.
      if (error instanceof GraphQLError) {
        throw new OperationError(error.message, { cause: error });
      }
      throw error;
    }
  }
}
