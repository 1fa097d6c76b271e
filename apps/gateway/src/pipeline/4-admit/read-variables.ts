import type {
  ASTNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SourceLocation,
  VariableDefinitionNode,
} from 'graphql';
import { Kind, getLocation, getVariableValues, parse } from 'graphql';

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
  if (variableDefinitions.length === 0) {
    return {};
  }
  const { coerced, errors = [] } = getVariableValues(schema, variableDefinitions, variables, options);
  if (coerced !== undefined) {
    return coerced;
  }
  const located = locatedDefinitions(operation);
  throw new RequestError(
    'VALIDATION_INVALID_TYPE_VARIABLE',
    errors.map(({ message, nodes }) => ({ message, locations: locationsOf(nodes, located) })),
  );
}

const options = { maxErrors: 10, hideSuggestions: true };

/** The definitions as they are in the text, because an operation is cached without locations. */
function locatedDefinitions({ definition, source }: DeclaringOperation): readonly VariableDefinitionNode[] {
  const found = parse(source.text).definitions.find(
    (candidate) =>
      candidate.kind === Kind.OPERATION_DEFINITION && candidate.name?.value === definition.name?.value,
  );
  return found?.kind === Kind.OPERATION_DEFINITION ? (found.variableDefinitions ?? []) : [];
}

/** The locations of the definitions that an error concerns. */
function locationsOf(
  nodes: readonly ASTNode[] | undefined,
  located: readonly VariableDefinitionNode[],
): readonly SourceLocation[] | undefined {
  const names = new Set(
    nodes?.map((node) => node.kind === Kind.VARIABLE_DEFINITION && node.variable.name.value),
  );
  const places = located
    .filter(({ variable }) => names.has(variable.name.value))
    .flatMap(({ loc }) => (loc === undefined ? [] : [getLocation(loc.source, loc.start)]));
  return places.length > 0 ? places : undefined;
}
