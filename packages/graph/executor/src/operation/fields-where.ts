/** A fragment of a selection set, whatever its fields are. */
interface Fragment<Field> {
  readonly kind: 'fragment';
  readonly typeCondition: string | undefined;
  /** Of a selection of the client. */
  readonly deferral?: { readonly number: number };
  readonly selections: readonly (Field | Fragment<Field>)[];
}

/**
 * The fields of a selection set, also inside its fragments whose conditions are met.
 *
 * @param isMet of a fragment, by its type condition and, of a deferred one, its number
 */
export function fieldsWhere<Field extends { readonly kind: 'field' }>(
  set: readonly (Field | Fragment<Field>)[],
  isMet: (typeCondition: string | undefined, deferral: { readonly number: number } | undefined) => boolean,
): readonly Field[] {
  return set.flatMap((selection) => {
    if (selection.kind === 'field') {
      return [selection];
    }
    return isMet(selection.typeCondition, selection.deferral) ? fieldsWhere(selection.selections, isMet) : [];
  });
}
