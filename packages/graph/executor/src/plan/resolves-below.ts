import type { FieldNode, SelectionNode } from 'graphql';
import { Kind } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { fieldTypeName } from '../supergraph/schema-types.ts';

/** The selections of a set of fields. */
type Selections = readonly SelectionNode[];

/**
 * True when a subgraph resolves a field of an object that another of its fields leads to. Nobody sent it that object: it
 * has the external fields that fields above provide, and no other inputs for a `@requires`.
 */
export function resolvesBelow(
  { subgraph, typeName, name }: { subgraph: string; typeName: string; name: string },
  provided: Selections,
  supergraph: Supergraph,
): boolean {
  const { schema, subgraphTypes } = supergraph;
  if (name.startsWith('__') || fieldsNamed(name, provided).length > 0) {
    return true;
  }
  if (subgraphTypes.isExternal(subgraph, typeName, name)) {
    return false;
  }
  const resolvesAll = (selections: Selections, type: string, known: Selections): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return true;
      }
      const below = selection.selectionSet?.selections ?? [];
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        return resolvesAll(below, selection.typeCondition?.name.value ?? type, known);
      }
      const input = selection.name.value;
      return (
        resolvesBelow({ subgraph, typeName: type, name: input }, known, supergraph) &&
        resolvesAll(below, fieldTypeName(schema, type, input) ?? '', selectionsBelow(input, known))
      );
    });
  return resolvesAll(
    subgraphTypes.requiresOf(subgraph, typeName, name)?.selections ?? [],
    typeName,
    provided,
  );
}

/** The selections below a field of a set. */
export function selectionsBelow(name: string, selections: Selections): Selections {
  return fieldsNamed(name, selections).flatMap((field) => field.selectionSet?.selections ?? []);
}

function fieldsNamed(name: string, selections: Selections): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fieldsNamed(name, selection.selectionSet.selections);
    }
    return selection.kind === Kind.FIELD && selection.name.value === name ? [selection] : [];
  });
}
