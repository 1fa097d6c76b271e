import type { Supergraph } from '@meridian/executor';
import type { GraphQLNamedType } from 'graphql';
import { getNamedType, isCompositeType, isInterfaceType, isObjectType } from 'graphql';

import type { CacheHint } from '../operation/compiled-operation.ts';
import type { ReadDirective } from './applied-directives.ts';
import { readerOf } from './applied-directives.ts';
import type { FieldDeclaration } from './field-declarations.ts';
import { declarationsOf } from './field-declarations.ts';

/** The hint of a field; undefined where it has none of its own and adds nothing to its parent's. */
export type CacheHints = (parentName: string, fieldName: string) => CacheHint | undefined;

/**
 * Reads `@cacheControl` as Apollo does: a field's own hint, else the hint of the type that it returns, else,
 * for a leaf below the root, its parent's. A field without a hint cannot be cached. The directive is known by
 * its link's name.
 *
 * Spec: Graph endpoint, "Cache header".
 */
export function cacheHints(supergraph: Supergraph): CacheHints {
  const cacheControl = readerOf(supergraph, { feature: 'cacheControl', directive: 'cacheControl' });
  const rootNames = new Set(
    [supergraph.schema.getQueryType(), supergraph.schema.getMutationType()].map((type) => type?.name),
  );
  return (parentName, fieldName) =>
    mostRestrictive(
      declarationsOf(supergraph.schema, parentName, fieldName).map((declaration) =>
        hintOf(declaration, rootNames.has(declaration.parent.name), cacheControl),
      ),
    );
}

/** The hint that holds where all of these do; undefined where there is none. */
export function mostRestrictive(hints: readonly (CacheHint | undefined)[]): CacheHint | undefined {
  return hints.reduce(
    (one, other) =>
      one === undefined || other === undefined
        ? (one ?? other)
        : {
            maxAgeSeconds: Math.min(one.maxAgeSeconds, other.maxAgeSeconds),
            isPrivate: one.isPrivate || other.isPrivate,
          },
    undefined,
  );
}

function hintOf(
  { field }: FieldDeclaration,
  isRootField: boolean,
  cacheControl: ReadDirective,
): CacheHint | undefined {
  const returned: GraphQLNamedType = getNamedType(field.type);
  const [own = {}] = cacheControl(field);
  const [ofType = {}] = isCompositeType(returned) ? cacheControl(returned) : [];
  const maxAge = own['maxAge'] ?? ofType['maxAge'];
  const scope = own['scope'] ?? ofType['scope'];
  const inherits =
    own['inheritMaxAge'] === true || ofType['inheritMaxAge'] === true || !isCompositeType(returned);
  const isPrivate = scope === 'PRIVATE';
  if (typeof maxAge === 'number') {
    return { maxAgeSeconds: Math.max(0, maxAge), isPrivate };
  }
  if (isRootField || !inherits) {
    return { maxAgeSeconds: 0, isPrivate };
  }
  return isPrivate ? { maxAgeSeconds: Number.POSITIVE_INFINITY, isPrivate } : undefined;
}

/**
 * The fields, as `Type.field`, with a public cache hint. In a graph that requires authentication, each of them is
 * data of a caller or its tenant with a wrong hint. The gateway keeps such responses private anyway, but other
 * readers of the hints would not.
 *
 * Spec: Authentication, rules 4 and 5.
 */
export function publicHints(supergraph: Supergraph): readonly string[] {
  const hintOf = cacheHints(supergraph);
  return Object.values(supergraph.apiSchema.getTypeMap()).flatMap((type) => {
    const isOwn = (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__');
    return isOwn
      ? Object.keys(type.getFields())
          .filter((field) => {
            const hint = hintOf(type.name, field);
            return hint !== undefined && hint.maxAgeSeconds > 0 && !hint.isPrivate;
          })
          .map((field) => `${type.name}.${field}`)
      : [];
  });
}
