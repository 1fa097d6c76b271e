import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { OperationTypeNode, getNamedType, isInterfaceType, isObjectType } from 'graphql';

/** The type that operations of a kind start at; undefined where the schema has none. */
export function findRootType(
  schema: GraphQLSchema,
  kind: 'query' | 'mutation' | 'subscription',
): GraphQLObjectType | undefined {
  return schema.getRootType(operationTypes[kind]) ?? undefined;
}

const operationTypes = {
  query: OperationTypeNode.QUERY,
  mutation: OperationTypeNode.MUTATION,
  subscription: OperationTypeNode.SUBSCRIPTION,
} as const;

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
