import type { DirectiveNode, FieldNode } from 'graphql';

/**
 * A client's selections for one combination of its conditions: fragments are expanded in place, `@skip` and
 * `@include` are resolved, and each field knows its name in the plan.
 */
export type SelectionSet = readonly Selection[];

export type Selection = SelectedField | SelectedFragment;

export interface SelectedField {
  readonly kind: 'field';
  /** The client's alias, or the field's name. */
  readonly responseName: string;
  /**
   * The name in the plan and in the data: the response name, or a private name if that would not determine the field
   * and its arguments.
   */
  readonly planName: string;
  readonly fieldName: string;
  /** The field as the client wrote it. */
  readonly node: FieldNode;
  /** Empty for a leaf. */
  readonly selections: SelectionSet;
}

export interface SelectedFragment {
  readonly kind: 'fragment';
  readonly typeCondition: string | undefined;
  readonly selections: SelectionSet;
  /** Set on a fragment that the first result does not wait for. */
  readonly deferral?: Deferral;
}

/** An active `@defer`. */
export interface Deferral {
  /** From 0, for each place where fragments are expanded. */
  readonly number: number;
  readonly label: string | undefined;
  /** As the client wrote it: the same for each place where its fragment is spread. */
  readonly directive: DirectiveNode;
}

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
