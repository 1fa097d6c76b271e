import type { SelectionSet } from '../operation/selection.ts';

/** A deferred fragment of an operation, for people. */
export interface DeferredFragmentOfPlan {
  readonly number: number;
  /** The number of the deferred fragment around it. */
  readonly inside: number | undefined;
  /** As in `"reviews" at books.author`: its label, where it has one, and the fields that lead to it. */
  readonly title: string;
}

/** The deferred fragments of an operation, in its order. */
export function deferredFragments(selections: SelectionSet): readonly DeferredFragmentOfPlan[] {
  const found: DeferredFragmentOfPlan[] = [];
  const walk = (set: SelectionSet, place: readonly string[], inside: number | undefined): void => {
    for (const selection of set) {
      if (selection.kind === 'field') {
        walk(selection.selections, [...place, selection.responseName], inside);
      } else if (selection.deferral === undefined) {
        walk(selection.selections, place, inside);
      } else {
        const { number, label } = selection.deferral;
        const name = label === undefined ? '' : `"${label}" `;
        found.push({ number, inside, title: `${name}at ${place.join('.') || 'the root'}` });
        walk(selection.selections, place, number);
      }
    }
  };
  walk(selections, [], undefined);
  return found.toSorted((one, other) => one.number - other.number);
}
