import type { NamedType, Supergraph } from '@apollo/federation-internals';
import { isAbstractType, isObjectType, possibleRuntimeTypes } from '@apollo/federation-internals';
import type { GraphQLSchema } from 'graphql';

import { possibleTypes } from './possible-types.ts';

/** What one subgraph makes of the supergraph's types. */
export interface SubgraphTypes {
  /** The object types of the supergraph that a value of a type can have when it comes from a subgraph. */
  possibleIn(subgraph: string, typeName: string): ReadonlySet<string>;
  /** The fields that a field requires in a subgraph, as the text of a field set. */
  requiresOf(subgraph: string, typeName: string, fieldName: string): string | undefined;
}

export function subgraphTypes(supergraph: Supergraph, schema: GraphQLSchema): SubgraphTypes {
  const typeIn = (subgraph: string, typeName: string): NamedType | undefined =>
    supergraph.subgraphs().get(subgraph)?.schema.type(typeName);

  return {
    possibleIn(subgraph, typeName) {
      const type = typeIn(subgraph, typeName);
      if (type === undefined || !isAbstractType(type)) {
        // Where it is an interface of the supergraph, it is an interface object here: any of the interface's types.
        return possibleTypes(schema, typeName);
      }
      return new Set(
        possibleRuntimeTypes(type).flatMap(({ name }) => Array.from(possibleTypes(schema, name))),
      );
    },
    requiresOf(subgraph, typeName, fieldName) {
      const type = typeIn(subgraph, typeName);
      const field = type !== undefined && isObjectType(type) ? type.field(fieldName) : undefined;
      // Its name depends on what the subgraph imports.
      const requires = supergraph.subgraphs().get(subgraph)?.metadata().requiresDirective();
      const fields = requires && field?.appliedDirectivesOf(requires)[0]?.arguments().fields;
      return typeof fields === 'string' ? fields : undefined;
    },
  };
}
