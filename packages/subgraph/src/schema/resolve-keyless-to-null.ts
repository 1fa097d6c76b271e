import { Kind, parse } from 'graphql';
import type { ConstDirectiveNode, DocumentNode } from 'graphql';

import type { Resolvers, TypeResolvers } from './resolvers.ts';

const referenceResolver = '__resolveReference';

/**
 * The same resolvers, with each `__resolveReference` called only for a representation with a key of its type.
 * A representation whose key is null or absent identifies no entity, and reads as null: resolvers and loaders
 * need not expect it.
 *
 * Spec: Execution rules, rule 10.
 */
export function resolveKeylessToNull<Loaders>(
  document: DocumentNode,
  resolvers: Resolvers<Loaders>,
): Resolvers<Loaders> {
  return Object.fromEntries(
    Object.entries(resolvers).map(([typeName, own]) => [typeName, withKeys(keysOf(document, typeName), own)]),
  );
}

function withKeys<Loaders>(
  keys: readonly (readonly string[])[],
  resolvers: TypeResolvers<Loaders>,
): TypeResolvers<Loaders> {
  const resolveReference = resolvers[referenceResolver];
  if (typeof resolveReference !== 'function') {
    return resolvers;
  }
  const hasKey = (representation: Readonly<Record<string, unknown>>) =>
    keys.some((fields) => fields.every((field) => (representation[field] ?? null) !== null));
  return {
    ...resolvers,
    // Async, so that one that throws fails alone: @apollo/subgraph would forget the entities that it has begun, and
    // nobody would handle their rejections.
    [referenceResolver]: async (...[representation, ...rest]: Parameters<typeof resolveReference>) =>
      hasKey(representation) ? resolveReference(representation, ...rest) : null,
  };
}

/** The fields of each `@key` of a type, the outermost alone. */
function keysOf(document: DocumentNode, typeName: string): string[][] {
  return document.definitions
    .filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION)
    .filter((type) => type.name.value === typeName)
    .flatMap((type) => type.directives ?? [])
    .filter((directive) => directive.name.value === 'key')
    .map(fieldsOf);
}

function fieldsOf(key: ConstDirectiveNode): string[] {
  const fields = key.arguments?.find(({ name }) => name.value === 'fields')?.value;
  if (fields?.kind !== Kind.STRING) {
    return [];
  }
  const [set] = parse(`{ ${fields.value} }`).definitions;
  const selections = set?.kind === Kind.OPERATION_DEFINITION ? set.selectionSet.selections : [];
  return selections.filter((selection) => selection.kind === Kind.FIELD).map(({ name }) => name.value);
}
