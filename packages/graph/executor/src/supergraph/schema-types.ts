import type { GraphQLFieldMap, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
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
  const field = fieldsOf(schema.getType(typeName))[fieldName];
  return field && getNamedType(field.type).name;
}

/** The fields of an object type or an interface; none of any other type. */
export function fieldsOf(type: GraphQLNamedType | undefined): Partial<GraphQLFieldMap<unknown, unknown>> {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : noFields;
}

/** Without a prototype, as the fields of graphql-js: a field may be named `constructor`. */
const noFields = Object.freeze<Partial<GraphQLFieldMap<unknown, unknown>>>(Object.create(null));
