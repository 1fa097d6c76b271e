import type { ResponsePath } from '@meridian/executor';
import type { DocumentNode, FieldNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import { fragmentsByName, responseNameOf } from '../../operation/graphql-document.ts';

/** The planner renames fields of one name with other arguments; their results get the name back. */
const plannersSuffix = /__alias_\d+$/;

/**
 * The paths of a fetch's fields in its response: all of them are null when the fetch fails. For entities they
 * are under `_entities` and an index, which `@apollo/gateway` turns into the path of the entity.
 */
export function fetchPaths(
  document: DocumentNode,
  representations: readonly { readonly __typename?: unknown }[] | undefined,
): readonly ResponsePath[] {
  const fragments = fragmentsByName(document);
  const selections = (
    selectionSet: SelectionSetNode | undefined,
    appliesTo: (typeName: string) => boolean,
  ): FieldNode[] =>
    (selectionSet?.selections ?? []).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) {
        return [selection];
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      const condition = fragment?.typeCondition?.name.value;
      return condition === undefined || appliesTo(condition)
        ? selections(fragment?.selectionSet, appliesTo)
        : [];
    });

  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const rootFields = selections(operation?.selectionSet, () => true);
  if (representations === undefined) {
    return unique(responseNames(rootFields)).map((name) => [name]);
  }
  const [entities] = rootFields;
  return representations.flatMap(({ __typename }, index) => {
    const own = selections(entities?.selectionSet, (typeName) => typeName === __typename);
    // A fragment on an interface names no type that a representation has.
    const fields = own.length > 0 ? own : selections(entities?.selectionSet, () => true);
    return unique(responseNames(fields)).map((name) => ['_entities', index, name]);
  });
}

function responseNames(fields: readonly FieldNode[]): string[] {
  return fields
    .filter(({ name }) => name.value !== '__typename')
    .map((field) => responseNameOf(field).replace(plannersSuffix, ''));
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
