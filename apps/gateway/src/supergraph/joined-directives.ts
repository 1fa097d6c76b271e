import type { ConstDirectiveNode, GraphQLSchema } from 'graphql';
import { isEnumType, valueFromASTUntyped } from 'graphql';

/** The arguments of each directive with a name. */
export function joinedDirectives(
  name: string,
  directives: readonly ConstDirectiveNode[] = [],
): readonly Readonly<Record<string, unknown>>[] {
  return directives
    .filter((directive) => directive.name.value === name)
    .map(({ arguments: list = [] }) =>
      Object.fromEntries(list.map((given) => [given.name.value, valueFromASTUntyped(given.value)])),
    );
}

/** The subgraphs of a supergraph by name, each with its value in `join__` directives. */
export function subgraphValues(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const graphs = schema.getType('join__Graph');
  const values = isEnumType(graphs) ? graphs.getValues() : [];
  return new Map(
    values.map(({ name: value, astNode }): [string, string] => {
      const [joined] = joinedDirectives('join__graph', astNode?.directives);
      const name = joined?.['name'];
      return [typeof name === 'string' ? name : value, value];
    }),
  );
}
