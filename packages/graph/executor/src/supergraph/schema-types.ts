import type { GraphQLFieldMap, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { OperationTypeNode, getNamedType, isAbstractType, isInterfaceType, isObjectType } from 'graphql';

import { booleanArgument } from './join-directives.ts';

/**
 * The types that a value of a type can have; none for an unknown type. These are object types, and interfaces of which
 * there are objects only in subgraphs that have an interface object, because no type implements them yet.
 */
export function possibleTypes(schema: GraphQLSchema, typeName: string): ReadonlySet<string> {
  const type = schema.getType(typeName);
  if (isObjectType(type)) {
    return new Set([typeName]);
  }
  const objects = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  const interfaces = isInterfaceType(type) ? [type, ...schema.getImplementations(type).interfaces] : [];
  const untyped = interfaces.filter((one) => isUntyped(schema, one));
  return new Set([...objects, ...untyped].map(({ name }) => name));
}

/** True for an interface that some subgraph has an interface object of, and that no type implements yet. */
export function isUntyped(schema: GraphQLSchema, type: GraphQLNamedType | undefined): boolean {
  return (
    isInterfaceType(type) &&
    schema.getPossibleTypes(type).length === 0 &&
    type.astNode?.directives?.some((join) => booleanArgument(join, 'isInterfaceObject')) === true
  );
}

/** The interfaces that a type implements. */
export function interfacesOf(schema: GraphQLSchema, typeName: string): readonly string[] {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().map(({ name }) => name) : [];
}

/** A type, those that it has, and those that have it. */
export function typesAround(schema: GraphQLSchema, typeName: string): readonly string[] {
  const types = [typeName, ...possibleTypes(schema, typeName)];
  return [...new Set([...types, ...types.flatMap((type) => interfacesOf(schema, type))])];
}

/** True when a value of one type also belongs to another. */
export function isOfType(schema: GraphQLSchema, typeName: string, condition: string): boolean {
  if (typeName === condition) {
    return true;
  }
  const type = schema.getType(typeName);
  const abstract = schema.getType(condition);
  return (
    isAbstractType(abstract) &&
    type !== undefined &&
    'getInterfaces' in type &&
    schema.isSubType(abstract, type)
  );
}

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
