/** A fragment of a selection set, whatever its fields are. */
interface Fragment<Field> {
  readonly kind: 'fragment';
  readonly typeCondition: string | undefined;
  readonly selections: readonly (Field | Fragment<Field>)[];
}

/** The fields of a selection set, also inside its fragments whose conditions are met. */
export function fieldsWhere<Field extends { readonly kind: 'field' }>(
  set: readonly (Field | Fragment<Field>)[],
  isMet: (typeCondition: string | undefined) => boolean,
): readonly Field[] {
  return set.flatMap((selection) => {
    if (selection.kind === 'field') {
      return [selection];
    }
    return isMet(selection.typeCondition) ? fieldsWhere(selection.selections, isMet) : [];
  });
}
