import type { DocumentNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/**
 * The selection sets of a document, nested ones included. A fragment counts once, however often it is spread. This
 * takes a fraction of the time of `visit`, which looks at every name.
 */
export function selectionSets(document: DocumentNode): readonly SelectionSetNode[] {
  const sets: SelectionSetNode[] = [];
  const walk = (set: SelectionSetNode): void => {
    sets.push(set);
    for (const selection of set.selections) {
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet !== undefined) {
        walk(selection.selectionSet);
      }
    }
  };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) {
      walk(definition.selectionSet);
    }
  }
  return sets;
}
