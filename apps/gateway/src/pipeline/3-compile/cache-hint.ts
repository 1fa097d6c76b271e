import type { DocumentNode, GraphQLSchema } from 'graphql';
import { TypeInfo, visit, visitWithTypeInfo } from 'graphql';

import type { CacheHint, CacheHints } from '../../supergraph/cache-hints.ts';
import { mostRestrictive } from '../../supergraph/cache-hints.ts';

/**
 * The hint for the whole response of an operation: the most restrictive hint of all selected fields, including those
 * that variables may skip. Undefined if no selected field has a hint.
 *
 * Spec: Graph endpoint, "Cache header".
 */
export function hintOfOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  cacheHints: CacheHints,
): CacheHint | undefined {
  const hints: (CacheHint | undefined)[] = [];
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field({ name }) {
        hints.push(
          name.value === '__schema' || name.value === '__type'
            ? { maxAgeSeconds: 0, isPrivate: false }
            : cacheHints(typeInfo.getParentType()?.name ?? '', name.value),
        );
      },
    }),
  );
  return mostRestrictive(hints);
}
