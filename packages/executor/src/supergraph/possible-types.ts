import type { GraphQLSchema } from 'graphql';
import { isAbstractType, isInterfaceType, isObjectType } from 'graphql';

/** The object types that a value of a type can have; none for an unknown type. */
export function possibleTypes(schema: GraphQLSchema, typeName: string): ReadonlySet<string> {
  const type = schema.getType(typeName);
  if (isObjectType(type)) {
    return new Set([typeName]);
  }
  return new Set(isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : []);
}

/** The interfaces that a type implements. */
export function interfacesOf(schema: GraphQLSchema, typeName: string): readonly string[] {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().map(({ name }) => name) : [];
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
