import type { SelectionSet } from '../../src/operation/selection.ts';
import { fetchesOf } from '../../src/plan/plan-steps.ts';
import type { OperationPlan } from '../../src/plan/plan.ts';
import { requiredSelectionsAt } from '../../src/plan/required-selections.ts';
import type { Supergraph } from '../../src/index.ts';

/** The fetches of a plan for objects of which the client selects nothing. Such a call can only fail. */
export function needlessFetches(
  { root, selections }: OperationPlan,
  { schema }: Supergraph,
): readonly string[] {
  const fetches = fetchesOf(root);
  return fetches
    .filter(({ path, requires }) => {
      // Those above may need a nested input, as a key that is another entity's.
      const others = fetches.filter((other) => other.path.length !== path.length);
      const { selected, required, descendants } = requiredSelectionsAt(path, {
        fetches: others,
        selections,
        schema,
      });
      const isForOthers = required.length > 0 || descendants.length > 0;
      return requires !== undefined && selected.length > 0 && !isForOthers && selected.every(isEmpty);
    })
    .map(({ subgraph, text }) => `${subgraph} ${text}`);
}

function isEmpty(set: SelectionSet): boolean {
  return set.every(({ kind, selections }) => kind === 'fragment' && isEmpty(selections));
}
