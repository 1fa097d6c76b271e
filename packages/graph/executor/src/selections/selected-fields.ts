import type { GraphQLSchema } from 'graphql';

import type { SelectedField, SelectionSet } from '../operation/selection.ts';
import { fieldsWhere } from '../operation/selection.ts';
import { isOfType } from '../supergraph/schema-types.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';

/** A field that a client selected, with its selections. */
export interface SelectedFieldOfType {
  readonly field: SelectedField;
  readonly below: readonly SelectionSet[];
}

/**
 * A client's selections on a type, in the order of the response. GraphQL specification §6.3.2.
 *
 * @param isConcerned of a deferred fragment, by its number. Default: none
 */
export function selectedFields(
  schema: GraphQLSchema,
  sets: readonly SelectionSet[],
  typeName: string,
  isConcerned: (fragment: number) => boolean = () => false,
): readonly SelectedFieldOfType[] {
  const isMet = (condition: string | undefined, deferral: { readonly number: number } | undefined): boolean =>
    (deferral === undefined || isConcerned(deferral.number)) &&
    (condition === undefined || isOfType(schema, typeName, condition));
  const fields = new Map<string, SelectedFieldOfType & { readonly below: SelectionSet[] }>();
  for (const field of sets.flatMap((set) => fieldsWhere<SelectedField>(set, isMet))) {
    const collected = fields.get(field.responseName) ?? { field, below: [] };
    fields.set(field.responseName, collected);
    collected.below.push(field.selections);
  }
  return [...fields.values()];
}

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
