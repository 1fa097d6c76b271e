import type { GraphQLSchema, GraphQLType } from 'graphql';
import { isAbstractType, isListType, isNamedType, isNonNullType, isObjectType } from 'graphql';

/** True when every value of a type that one side produces is a value of the type that the other side takes. */
export function takesValuesOf(schema: GraphQLSchema, taken: GraphQLType, produced: GraphQLType): boolean {
  if (isNonNullType(taken)) {
    return isNonNullType(produced) && takesValuesOf(schema, taken.ofType, produced.ofType);
  }
  if (isNonNullType(produced)) {
    return takesValuesOf(schema, taken, produced.ofType);
  }
  if (isListType(taken)) {
    return isListType(produced) && takesValuesOf(schema, taken.ofType, produced.ofType);
  }
  return isNamedType(taken) && isNamedType(produced) && takesNamed(schema, taken.name, produced.name);
}

/** Types whose values are written in the same way, or one as the other. */
const takenAs: Readonly<Record<string, readonly string[]>> = {
  Float: ['Int'],
  ID: ['String', 'Int'],
  String: ['ID'],
};

function takesNamed(schema: GraphQLSchema, taken: string, produced: string): boolean {
  if (taken === produced || takenAs[taken]?.includes(produced) === true) {
    return true;
  }
  const [wide, narrow] = [schema.getType(taken), schema.getType(produced)];
  return (
    isAbstractType(wide) &&
    (isObjectType(narrow) || isAbstractType(narrow)) &&
    isWithin(schema, wide.name, narrow.name)
  );
}

function isWithin(schema: GraphQLSchema, wide: string, narrow: string): boolean {
  const [one, other] = [schema.getType(wide), schema.getType(narrow)];
  if (!isAbstractType(one)) {
    return false;
  }
  const possible = new Set(schema.getPossibleTypes(one).map(({ name }) => name));
  const inner = isAbstractType(other) ? schema.getPossibleTypes(other) : isObjectType(other) ? [other] : [];
  return inner.length > 0 && inner.every(({ name }) => possible.has(name));
}
