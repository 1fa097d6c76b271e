import type { RequiredField, RequiredSelection } from '@meridian/executor';
import type { SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/** True when representations have every field of a field set, at any depth. */
export function coversFieldSet(
  sent: readonly RequiredSelection[],
  { selections }: SelectionSetNode,
): boolean {
  const fields = fieldsIn(sent);
  return selections.every((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return coversFieldSet(sent, selection.selectionSet);
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD || selection.name.value === '__typename') {
      return true;
    }
    const field = fields.find(({ name }) => name === selection.name.value);
    return (
      field !== undefined &&
      (selection.selectionSet === undefined || coversFieldSet(field.selections ?? [], selection.selectionSet))
    );
  });
}

/** The names of the fields of a field set, as messages show them: `sku organization { id }`. */
export function fieldSetText({ selections }: SelectionSetNode): string {
  return selections
    .map((selection) => {
      const inner = 'selectionSet' in selection ? selection.selectionSet : undefined;
      const name =
        selection.kind === Kind.FIELD
          ? selection.name.value
          : `... on ${selection.kind === Kind.INLINE_FRAGMENT ? (selection.typeCondition?.name.value ?? '') : selection.name.value}`;
      return inner === undefined ? name : `${name} { ${fieldSetText(inner)} }`;
    })
    .join(' ');
}

function fieldsIn(selections: readonly RequiredSelection[]): readonly RequiredField[] {
  return selections.flatMap((selection) =>
    selection.kind === 'field' ? [selection] : fieldsIn(selection.selections),
  );
}
