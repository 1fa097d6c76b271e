import { getVariableValues, Kind } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode, TypeNode, VariableDefinitionNode } from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Compiles how the variables of an operation are read. A list of representations is taken as it is: `_Any` takes anything but null, and
 * to say so of each would take longer than to look it up.
 *
 * @returns what gives the values, or undefined where some do not fit
 */
export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (inputs: Variables) => Variables | undefined {
  const lists = variableDefinitions
    .filter(isListOfRepresentations)
    .map(({ variable }) => variable.name.value);
  const others = variableDefinitions.filter((definition) => !isListOfRepresentations(definition));
  return (inputs) => {
    const { coerced } = getVariableValues(schema, others, inputs);
    if (coerced === undefined || !lists.every((name) => isListWithoutNull(inputs[name]))) {
      return undefined;
    }
    for (const name of lists) {
      coerced[name] = inputs[name];
    }
    return coerced;
  };
}

/** `[_Any!]!`, as gateways declare it. */
function isListOfRepresentations({ type, defaultValue }: VariableDefinitionNode): boolean {
  const list = defaultValue === undefined ? whatIsNoNull(type) : undefined;
  const item = list?.kind === Kind.LIST_TYPE ? whatIsNoNull(list.type) : undefined;
  return item?.kind === Kind.NAMED_TYPE && item.name.value === '_Any';
}

function whatIsNoNull(type: TypeNode): TypeNode | undefined {
  return type.kind === Kind.NON_NULL_TYPE ? type.type : undefined;
}

function isListWithoutNull(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item !== null && item !== undefined);
}
