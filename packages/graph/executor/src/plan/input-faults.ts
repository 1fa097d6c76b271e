import { fieldNamesOf } from '../supergraph/field-set.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { EntityField } from './entity-document.ts';
import { entityFields } from './entity-document.ts';
import type { FetchStep, RequiredSelection } from './plan.ts';

/**
 * A reason why a field of an entity cannot be fetched from a subgraph. `foreign`: the subgraph only names the field, and
 * never resolves it. `unfed`: the representations lack the fields that it requires.
 */
export type InputFault = 'foreign' | 'unfed';

/** The entity fields of a fetch that cannot be fetched as planned. */
export function inputFaults(
  { document, requires, subgraph }: FetchStep,
  { subgraphTypes }: Supergraph,
): ReadonlyMap<EntityField, InputFault> {
  const faults = new Map<EntityField, InputFault>();
  if (requires === undefined) {
    return faults;
  }
  const sent = planNamesOf(requires);
  for (const field of entityFields(document)) {
    const { typeName, name } = field;
    const required = subgraphTypes.requiresOf(subgraph, typeName, name);
    if (subgraphTypes.isExternal(subgraph, typeName, name)) {
      faults.set(field, 'foreign');
    } else if (required !== undefined && [...fieldNamesOf(required)].some((one) => !sent.has(one))) {
      faults.set(field, 'unfed');
    }
  }
  return faults;
}

function planNamesOf(selections: readonly RequiredSelection[]): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (set: readonly RequiredSelection[]): void => {
    for (const selection of set) {
      if (selection.kind === 'field') {
        names.add(selection.planName);
      }
      walk(selection.selections ?? []);
    }
  };
  walk(selections);
  return names;
}
