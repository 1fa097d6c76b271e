import type { SelectionSet } from '../operation/selection.ts';
import { fetchesOf } from '../plan/fetches-of.ts';
import type { OperationPlan } from '../plan/plan.ts';

/** The approximate size of a compiled plan without selections, and of an operation that cannot be planned. */
export const leastPlanBytes = 10_000;

/** Measured: what fetches it, reads it and writes it. */
const bytesPerSelection = 2000;

/** As the text of a fetch, as JSON and in its document, of two bytes where one character takes them. */
const bytesPerCharacter = 8;

/** About how much memory a plan takes once it is compiled. */
export function planBytes({ root, selections }: OperationPlan): number {
  const texts = root === undefined ? [] : fetchesOf(root).map(({ text }) => text.length);
  return (
    leastPlanBytes +
    countSelections(selections) * bytesPerSelection +
    texts.reduce((sum, length) => sum + length * bytesPerCharacter, 0)
  );
}

function countSelections(selections: SelectionSet): number {
  return selections.reduce((count, selection) => count + 1 + countSelections(selection.selections), 0);
}
