import { coerceVariables } from '@meridian/executor';
import type { GraphQLSchema, OperationDefinitionNode, SourceLocation } from 'graphql';
import { Kind, getLocation, parse } from 'graphql';

import type { OperationSource } from '../../operation/operation-source.ts';
import type { Variables } from '../../operation/admitted-operation.ts';
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
  if (variableDefinitions.length === 0) {
    return {};
  }
  const { coerced, faults } = coerceVariables(schema, variableDefinitions, variables);
  if (faults === undefined) {
    return coerced;
  }
  const locations = locationsInText(operation);
  throw new RequestError(
    'VALIDATION_INVALID_TYPE_VARIABLE',
    faults.map(({ message, variable }) => ({ message, locations: locations.get(variable) })),
  );
}

/** Where the text declares each variable: an operation is cached without locations. */
function locationsInText({
  definition,
  source,
}: DeclaringOperation): ReadonlyMap<string, readonly SourceLocation[]> {
  const found = parse(source.text).definitions.find(
    (candidate) =>
      candidate.kind === Kind.OPERATION_DEFINITION && candidate.name?.value === definition.name?.value,
  );
  const declared = found?.kind === Kind.OPERATION_DEFINITION ? (found.variableDefinitions ?? []) : [];
  return new Map(
    declared.map(({ variable, loc }) => [
      variable.name.value,
      loc === undefined ? [] : [getLocation(loc.source, loc.start)],
    ]),
  );
}
