import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { getVariableValues } from 'graphql';

import { Refusal } from '../../refusal.ts';

/** Variables with their declared types, defaults put in. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * Reads the variables of a request by the types that the operation declares.
 *
 * GraphQL specification §6.1.2.
 *
 * @throws {Refusal} VALIDATION_INVALID_TYPE_VARIABLE
 */
export function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Variables {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, variables, {
    maxErrors: 10,
    hideSuggestions: true,
  });
  if (coerced === undefined) {
    throw new Refusal(
      'VALIDATION_INVALID_TYPE_VARIABLE',
      (errors ?? []).map(({ message, locations }) => ({ message, locations })),
    );
  }
  return coerced;
}
