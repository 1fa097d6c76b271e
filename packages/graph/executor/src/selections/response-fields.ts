import type { FieldNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import { isOfType } from '../supergraph/schema-types.ts';
import { responseNameOf } from '../operation/graphql-document.ts';
import type { FetchStep } from '../plan/plan.ts';

/** The selected fields of a type by response name, in the order in which a subgraph writes them. */
export function responseFields(
  schema: GraphQLSchema,
  sets: readonly SelectionSetNode[],
  typeName: string,
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = responseNameOf(selection);
        const nodes = fields.get(key) ?? [];
        fields.set(key, nodes);
        nodes.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        if (condition === undefined || isOfType(schema, typeName, condition)) {
          collect(selection.selectionSet);
        }
      }
    }
  };
  sets.forEach(collect);
  return fields;
}

/** The selections of a fetch on the data of its response, or on each entity in it. */
export function responseSelections({ document, requires }: FetchStep): readonly SelectionSetNode[] {
  return document.definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .flatMap(({ selectionSet }) => {
      if (requires === undefined) {
        return [selectionSet];
      }
      const [entities] = selectionSet.selections;
      return entities?.kind === Kind.FIELD && entities.selectionSet !== undefined
        ? [entities.selectionSet]
        : [];
    });
}
