import type { ConstDirectiveNode, GraphQLSchema } from 'graphql';
import { Kind, isEnumType, isInterfaceType, isObjectType } from 'graphql';

/** The subgraphs of a supergraph by name, each with its value in `join__` directives. */
export function subgraphValues(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const graphs = schema.getType('join__Graph');
  const values = isEnumType(graphs) ? graphs.getValues() : [];
  return new Map(
    values.map(({ name: value, astNode }) => {
      const [joined] = directivesNamed('join__graph', astNode?.directives);
      return [argument(joined, 'name') ?? value, value];
    }),
  );
}

/**
 * The fields that a subgraph resolves, as `Type.field`: without those that it has for a key of another or overrides.
 *
 * @param value from `subgraphValues`
 */
export function fieldsOfSubgraph(schema: GraphQLSchema, value: string): readonly string[] {
  const isOfSubgraph = (directive: ConstDirectiveNode): boolean => argument(directive, 'graph') === value;
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type)) {
      return [];
    }
    const isTypeOfSubgraph = directivesNamed('join__type', type.astNode?.directives).some(isOfSubgraph);
    const isResolved = (joined: readonly ConstDirectiveNode[]): boolean =>
      joined.length === 0
        ? isTypeOfSubgraph
        : joined.some(
            (directive) =>
              isOfSubgraph(directive) &&
              argument(directive, 'external') !== 'true' &&
              argument(directive, 'usedOverridden') !== 'true',
          );
    return Object.values(type.getFields())
      .filter(({ astNode }) => isResolved(directivesNamed('join__field', astNode?.directives)))
      .map(({ name }) => `${type.name}.${name}`);
  });
}

function directivesNamed(
  name: string,
  directives: readonly ConstDirectiveNode[] = [],
): readonly ConstDirectiveNode[] {
  return directives.filter((directive) => directive.name.value === name);
}

/** A name, a string or a flag as text. */
function argument(directive: ConstDirectiveNode | undefined, name: string): string | undefined {
  const value = directive?.arguments?.find((candidate) => candidate.name.value === name)?.value;
  if (value?.kind === Kind.BOOLEAN) {
    return String(value.value);
  }
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined;
}
