import type { SelectionSet } from '../operation/selection.ts';
import { fetchesOf } from '../plan/plan-steps.ts';
import type { OperationPlan } from '../plan/plan.ts';

/** The approximate size of a compiled plan without selections, and of an operation that cannot be planned. */
export const leastPlanBytes = 10_000;

/** Measured: the functions that fetch, read and write it. */
const bytesPerSelection = 2000;

/** In the text of a fetch, in JSON and in its document, with two bytes for some characters. */
const bytesPerCharacter = 8;

/** The approximate memory of a compiled plan. */
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
