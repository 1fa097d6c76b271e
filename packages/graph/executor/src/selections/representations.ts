import type { GraphQLSchema, SelectionNode } from 'graphql';
import { Kind } from 'graphql';

import { fieldsWhere } from '../operation/selection.ts';
import type { FetchStep, RequiredField, RequiredSelection, TypenameRewrite } from '../plan/plan.ts';
import { isOfType } from '../supergraph/schema-types.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';

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

/** The `__typename` that a representation of an object of this type is sent with. */
export function sentTypename(
  schema: GraphQLSchema,
  rewrites: readonly TypenameRewrite[],
  typeName: string,
): string {
  return rewrites.reduce(
    (current, { type, typename }) => (isOfType(schema, current, type) ? typename : current),
    typeName,
  );
}

/**
 * True when a fetch looks up the objects of a type: their representations have fields, or the type alone is a key,
 * `@key(fields: "__typename")`.
 */
export function isLookedUp(
  { schema, subgraphTypes }: Pick<Supergraph, 'schema' | 'subgraphTypes'>,
  { subgraph, requires = [], typenameRewrites }: FetchStep,
  typeName: string,
): boolean {
  const fields = fieldsWhere<RequiredField>(
    requires,
    (condition) => condition === undefined || isOfType(schema, typeName, condition),
  );
  if (fields.some(({ name }) => name !== '__typename')) {
    return true;
  }
  const keys = subgraphTypes.keysOf(subgraph, sentTypename(schema, typenameRewrites, typeName));
  return fields.length > 0 && keys.some(({ selections }) => selections.every(isTypename));
}

function isTypename(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && selection.name.value === '__typename';
}
