// The final checks of a plan: each selected field is in some fetch, and each fetch has its inputs. A field in no fetch
// would be a null that looks like data. The planner leaves out fields that cannot occur: fragments on types that a
// subgraph of the same field does not know.
import { OperationError } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { OccurringTypes } from '../supergraph/occurring-types.ts';
import { intersect } from '../supergraph/occurring-types.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { createRoot } from './fetched-shape.ts';
import type { FetchStep, OperationKind, PlanStep } from './plan.ts';
import { isUntyped } from '../supergraph/schema-types.ts';
import { entityFields } from './entity-document.ts';
import { fetchesBeforeInputs, fetchesTooEarly } from './unready-fetches.ts';
import { fetchesOf } from './plan-steps.ts';
import { inputFaults } from './input-faults.ts';
import { liftNested } from './lift-nested.ts';

/**
 * Checks that the fetches of a plan supply everything that was selected.
 *
 * @param isConcerned of a deferred fragment, by its number. Default: all
 * @throws {OperationError} when they do not
 */
export function checkCoverage(
  fetches: readonly FetchStep[],
  { operationKind, selections }: { readonly operationKind: OperationKind; readonly selections: SelectionSet },
  { supergraph, occurring }: { readonly supergraph: Supergraph; readonly occurring: OccurringTypes },
  isConcerned: (fragment: number) => boolean = () => true,
): void {
  const shape = createRoot(supergraph, operationKind, fetches);
  checkSet(selections, shape.types, shape);

  function checkSet(set: SelectionSet, types: ReadonlySet<string>, at: FetchedShape): void {
    for (const selection of set) {
      if (selection.kind === 'fragment') {
        if (selection.deferral === undefined || isConcerned(selection.deferral.number)) {
          checkSet(selection.selections, occurring.narrow(types, selection.typeCondition), at);
        } else if (narrows([selection], types) && !areTold(types, at)) {
          throw new OperationError('A fragment cannot be deferred: the type of its objects comes later');
        }
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

  /** True when only objects of some of these types have the fields of a fragment: their type decides on its announcement. */
  function narrows(set: SelectionSet, types: ReadonlySet<string>): boolean {
    return set.some((selection) => {
      const narrowed = selection.kind === 'fragment' && occurring.narrow(types, selection.typeCondition);
      return narrowed && (narrowed.size < types.size || narrows(selection.selections, types));
    });
  }
}

/** The subgraph of an interface object does not know the types of objects. */
function areTold(types: ReadonlySet<string>, { fields }: FetchedShape): boolean {
  const told = fields.get('__typename')?.parentTypes;
  return types.size < 2 || [...types].every((type) => told?.has(type));
}

/**
 * Checks that each field of an entity is fetched from a subgraph that resolves it, with its required fields and the
 * values of its contexts.
 *
 * @throws {OperationError} when one is not
 */
export function checkInputs(root: PlanStep | undefined, kind: OperationKind, supergraph: Supergraph): void {
  if (root === undefined) {
    return;
  }
  for (const fetch of fetchesOf(root)) {
    checkTypes(fetch, supergraph);
    const nested = liftNested(fetch, supergraph).lifted.flatMap(({ document }) => entityFields(document));
    for (const { name } of [...inputFaults(fetch, supergraph).keys(), ...nested]) {
      throw new OperationError(`The inputs of "${name}" cannot be planned`);
    }
  }
  for (const { subgraph } of fetchesBeforeInputs(root, kind, supergraph)) {
    throw new OperationError(`The inputs of a fetch from "${subgraph}" cannot be planned`);
  }
  if (fetchesTooEarly(root, kind, supergraph).size > 0) {
    throw new OperationError('An argument from a context cannot be planned');
  }
}

/** Of an interface that no type implements yet, only the subgraphs of its interface objects have objects. */
function checkTypes(
  { document, subgraph, requires }: FetchStep,
  { schema, subgraphTypes }: Supergraph,
): void {
  const fields = requires === undefined ? [] : entityFields(document);
  for (const { typeName, name } of fields.filter((field) => field.name !== '__typename')) {
    if (isUntyped(schema, schema.getType(typeName)) && !subgraphTypes.isObject(subgraph, typeName)) {
      throw new OperationError(`The field "${name}" cannot be planned: no type implements "${typeName}" yet`);
    }
  }
}
