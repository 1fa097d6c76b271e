import { Kind, parse } from 'graphql';
import type { ConstDirectiveNode, DocumentNode } from 'graphql';

import type { Resolvers, TypeResolvers } from './resolvers.ts';

const referenceResolver = '__resolveReference';

/**
 * Wraps each `__resolveReference`, which is then called only for representations with a key of its type. A
 * representation with a null or absent key identifies no entity, and becomes null, so resolvers and loaders never see
 * it.
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
    // Async, so that one that throws fails alone: @apollo/subgraph would drop the promises of the other entities, whose
    // rejections would be unhandled.
    [referenceResolver]: async (...[representation, ...rest]: Parameters<typeof resolveReference>) =>
      hasKey(representation) ? resolveReference(representation, ...rest) : null,
  };
}

/** The outermost fields of each `@key` of a type. */
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
