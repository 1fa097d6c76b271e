import type { GraphQLSchema } from 'graphql';
import { isInterfaceType, isObjectType } from 'graphql';

import { joinedDirectives } from '../supergraph/applied-directives.ts';

/**
 * The fields that a subgraph resolves, as `Type.field`: without those that it has for a key of another or overrides.
 *
 * @param value from `subgraphValues`
 */
export function fieldsOfSubgraph(schema: GraphQLSchema, value: string): readonly string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type)) {
      return [];
    }
    const joinedTypes = joinedDirectives('join__type', type.astNode?.directives);
    const isTypeOfSubgraph = joinedTypes.some(({ graph }) => graph === value);
    return Object.values(type.getFields())
      .filter(({ astNode }) => {
        const joined = joinedDirectives('join__field', astNode?.directives);
        return joined.length === 0
          ? isTypeOfSubgraph
          : joined.some(
              ({ graph, external, usedOverridden }) =>
                graph === value && external !== true && usedOverridden !== true,
            );
      })
      .map(({ name }) => `${type.name}.${name}`);
  });
}
