import type { SelectedField, SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { possibleTypes } from '../supergraph/possible-types.ts';

/** The types of objects to which a fragment applies. */
export function narrowed(
  types: ReadonlySet<string>,
  typeCondition: string | undefined,
  { schema }: Pick<Supergraph, 'schema'>,
): ReadonlySet<string> {
  return typeCondition === undefined ? types : common(types, possibleTypes(schema, typeCondition));
}

/** The types that the value of a field of objects of these types can have. */
export function typesBelow(
  { fieldName }: Pick<SelectedField, 'fieldName'>,
  types: ReadonlySet<string>,
  { subgraphTypes }: Pick<Supergraph, 'subgraphTypes'>,
): ReadonlySet<string> {
  return new Set([...types].flatMap((type) => Array.from(subgraphTypes.commonTypes(type, fieldName))));
}

/** Whether an object of these types has anything of a selection. */
export function canOccur(
  set: SelectionSet,
  types: ReadonlySet<string>,
  supergraph: Pick<Supergraph, 'schema'>,
): boolean {
  return set.some((selection) =>
    selection.kind === 'field'
      ? types.size > 0
      : canOccur(selection.selections, narrowed(types, selection.typeCondition, supergraph), supergraph),
  );
}

/** The types that are in both. */
export function common(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((name) => other.has(name)));
}
