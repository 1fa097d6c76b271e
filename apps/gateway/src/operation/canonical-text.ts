import type { DefinitionNode, DocumentNode } from 'graphql';
import { Kind, print } from 'graphql';

/** The text in one layout, without comments, its definitions in one order: equal for documents that mean the same. */
export function canonicalText(document: DocumentNode): string {
  return document.definitions
    .map((definition) => ({ key: sortKey(definition), text: print(definition) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ text }) => text)
    .join('\n\n');
}

function sortKey(definition: DefinitionNode): string {
  const isNamed =
    definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION;
  return `${definition.kind} ${isNamed ? (definition.name?.value ?? '') : ''}`;
}
