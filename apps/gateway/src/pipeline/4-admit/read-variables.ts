import type { GraphQLSchema, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';
import { Kind, getVariableValues, parse } from 'graphql';

import type { OperationSource } from '../../operation/operation-source.ts';
import type { Variables } from '../../operation/variables.ts';
import { RequestError } from '../../errors/request-error.ts';

/** An operation that declares variables. */
export interface DeclaringOperation {
  readonly definition: OperationDefinitionNode;
  readonly source: OperationSource;
}

/**
 * Reads the variables of a request by the types that the operation declares.
 *
 * GraphQL specification §6.1.2.
 *
 * @throws {RequestError} VALIDATION_INVALID_TYPE_VARIABLE
 */
export function readVariables(
  schema: GraphQLSchema,
  operation: DeclaringOperation,
  variables: Variables,
): Variables {
  const { variableDefinitions = [] } = operation.definition;
  const { coerced } = getVariableValues(schema, variableDefinitions, variables, options);
  if (coerced !== undefined) {
    return coerced;
  }
  const { errors = [] } = getVariableValues(schema, locatedDefinitions(operation), variables, options);
  throw new RequestError(
    'VALIDATION_INVALID_TYPE_VARIABLE',
    errors.map(({ message, locations }) => ({ message, locations })),
  );
}

const options = { maxErrors: 10, hideSuggestions: true };

/** An operation is kept without the locations of its nodes. */
function locatedDefinitions({ definition, source }: DeclaringOperation): readonly VariableDefinitionNode[] {
  const found = parse(source.text).definitions.find(
    (candidate) =>
      candidate.kind === Kind.OPERATION_DEFINITION && candidate.name?.value === definition.name?.value,
  );
  return found?.kind === Kind.OPERATION_DEFINITION ? (found.variableDefinitions ?? []) : [];
}
