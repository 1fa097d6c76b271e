import type { GraphQLSchema } from 'graphql';

import type { RequiredSelection } from '../plan/plan.ts';
import { isOfType } from '../supergraph/possible-types.ts';

/** A field of a representation. */
export interface RequiredFieldOfType {
  readonly name: string;
  readonly planName: string;
  readonly isLeaf: boolean;
  readonly below: readonly RequiredSelection[];
}

/**
 * The fields of a representation for a type, apart from `__typename`. For an unknown type, the fields for any
 * type.
 */
export function requiredFields(
  schema: GraphQLSchema,
  selections: readonly RequiredSelection[],
  typeName: string | undefined,
): readonly RequiredFieldOfType[] {
  const fields = new Map<string, RequiredFieldOfType & { readonly below: RequiredSelection[] }>();
  const collect = (set: readonly RequiredSelection[]): void => {
    for (const selection of set) {
      if (selection.kind === 'fragment') {
        const { typeCondition } = selection;
        if (
          typeCondition === undefined ||
          (typeName !== undefined && isOfType(schema, typeName, typeCondition))
        ) {
          collect(selection.selections);
        }
      } else if (selection.name !== '__typename') {
        const { name, planName, selections: below } = selection;
        const field = fields.get(name) ?? { name, planName, isLeaf: below === undefined, below: [] };
        fields.set(name, field);
        field.below.push(...(below ?? []));
      }
    }
  };
  collect(selections);
  return [...fields.values()];
}
