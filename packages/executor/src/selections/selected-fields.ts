import type { GraphQLSchema } from 'graphql';

import type { SelectedField, SelectionSet } from '../operation/selection.ts';
import { isOfType } from '../supergraph/possible-types.ts';

/** A field that a client selected, and all that was selected below it. */
export interface SelectedFieldOfType {
  readonly field: SelectedField;
  readonly below: readonly SelectionSet[];
}

/** A client's selections on a type, in the order of the response. GraphQL specification §6.3.2. */
export function selectedFields(
  schema: GraphQLSchema,
  sets: readonly SelectionSet[],
  typeName: string,
): readonly SelectedFieldOfType[] {
  const fields = new Map<string, SelectedFieldOfType & { readonly below: SelectionSet[] }>();
  const collect = (set: SelectionSet): void => {
    for (const selection of set) {
      if (selection.kind === 'field') {
        const collected = fields.get(selection.responseName) ?? { field: selection, below: [] };
        fields.set(selection.responseName, collected);
        collected.below.push(selection.selections);
      } else if (
        selection.typeCondition === undefined ||
        isOfType(schema, typeName, selection.typeCondition)
      ) {
        collect(selection.selections);
      }
    }
  };
  sets.forEach(collect);
  return [...fields.values()];
}
