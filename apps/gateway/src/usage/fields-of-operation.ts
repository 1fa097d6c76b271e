import type { DocumentNode, GraphQLSchema } from 'graphql';
import { TypeInfo, isIntrospectionType, visit, visitWithTypeInfo } from 'graphql';

/**
 * The fields that an operation selects, as `Type.field`, sorted. A field behind `@skip` or `@include` counts: some
 * request may get it.
 *
 * @param document holds one operation and the fragments that it spreads
 */
export function fieldsOfOperation(schema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const fields = new Set<string>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field({ name }) {
        const parent = typeInfo.getParentType();
        if (parent && !isIntrospectionType(parent) && !name.value.startsWith('__')) {
          fields.add(`${parent.name}.${name.value}`);
        }
      },
    }),
  );
  return [...fields].toSorted();
}
