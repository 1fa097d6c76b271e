import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { getNamedType, isInterfaceType, isObjectType } from 'graphql';

/** The type that operations of a kind start at; undefined where the schema has none. */
export function findRootType(
  schema: GraphQLSchema,
  kind: 'query' | 'mutation',
): GraphQLObjectType | undefined {
  return (kind === 'query' ? schema.getQueryType() : schema.getMutationType()) ?? undefined;
}

/** The name of a field's type, apart from lists and non-null; undefined for an unknown field. */
export function fieldTypeName(
  schema: GraphQLSchema,
  typeName: string,
  fieldName: string,
): string | undefined {
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  return field && getNamedType(field.type).name;
}
