import type { GraphQLSchema } from 'graphql';

import { fieldsWhere } from '../operation/fields-where.ts';
import type { RequiredField, RequiredSelection } from '../plan/plan.ts';
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
  const isMet = (condition: string | undefined): boolean =>
    condition === undefined || (typeName !== undefined && isOfType(schema, typeName, condition));
  const fields = new Map<string, RequiredFieldOfType & { readonly below: RequiredSelection[] }>();
  for (const { name, planName, selections: below } of fieldsWhere<RequiredField>(selections, isMet)) {
    if (name !== '__typename') {
      const field = fields.get(name) ?? { name, planName, isLeaf: below === undefined, below: [] };
      fields.set(name, field);
      field.below.push(...(below ?? []));
    }
  }
  return [...fields.values()];
}
