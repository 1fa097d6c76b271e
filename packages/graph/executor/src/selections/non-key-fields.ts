import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { SelectedFieldOfType } from './selected-fields.ts';

/**
 * The plan names of selected fields that are not part of a key. An object with a value for one of them exists, even if
 * some subgraph has no such entity.
 */
export function nonKeyFields(
  { subgraphTypes }: Pick<Supergraph, 'subgraphTypes'>,
  typeName: string,
  selected: readonly SelectedFieldOfType[],
): ReadonlySet<string> {
  const keyFields = subgraphTypes.keyFields(typeName);
  return new Set(
    selected
      .filter(({ field: { fieldName } }) => !fieldName.startsWith('__') && !keyFields.has(fieldName))
      .map(({ field: { planName } }) => planName),
  );
}
