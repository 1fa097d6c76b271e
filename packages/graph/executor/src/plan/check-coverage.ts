// The final check of a plan: each selected field is in some fetch. A field that is in none would be a null that looks
// like data. The planner leaves out fields that cannot occur: fragments on types that a subgraph of the same field
// does not know.
import { OperationError } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { OccurringTypes } from '../supergraph/occurring-types.ts';
import { intersect } from '../supergraph/occurring-types.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { createRoot } from './fetched-shape.ts';
import { fetchesOf } from './fetches-of.ts';
import type { OperationKind, PlanStep } from './plan.ts';

/**
 * Checks that a plan fetches everything that was selected.
 *
 * @throws {OperationError} when it does not
 */
export function checkCoverage(
  root: PlanStep | undefined,
  { operationKind, selections }: { readonly operationKind: OperationKind; readonly selections: SelectionSet },
  { supergraph, occurring }: { readonly supergraph: Supergraph; readonly occurring: OccurringTypes },
): void {
  const shape = createRoot(supergraph, operationKind, fetchesOf(root));
  checkSet(selections, shape.types, shape);

  function checkSet(set: SelectionSet, types: ReadonlySet<string>, at: FetchedShape): void {
    for (const selection of set) {
      if (selection.kind === 'fragment') {
        checkSet(selection.selections, occurring.narrow(types, selection.typeCondition), at);
        continue;
      }
      // Narrowed to types that cannot occur here, it is in no fetch, and in no response.
      if (types.size === 0 || selection.fieldName.startsWith('__')) {
        continue;
      }
      const field = at.fields.get(selection.planName);
      if (field === undefined || intersect(field.parentTypes, types).size === 0) {
        throw new OperationError(`The field "${selection.responseName}" cannot be planned`);
      }
      const below = intersect(occurring.below(types, selection.fieldName), field.shape.types);
      checkSet(selection.selections, below, field.shape);
    }
  }
}
