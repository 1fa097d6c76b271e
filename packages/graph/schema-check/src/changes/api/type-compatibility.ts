import type { GraphQLType } from 'graphql';
import { isListType, isNamedType, isNonNullType } from 'graphql';

/** True when the values of `narrow` are values of `wide`, as far as lists and nulls go. */
export function promisesAsMuch(wide: GraphQLType, narrow: GraphQLType): boolean {
  if (isNonNullType(narrow)) {
    return promisesAsMuch(isNonNullType(wide) ? wide.ofType : wide, narrow.ofType);
  }
  if (isListType(wide)) {
    return isListType(narrow) && promisesAsMuch(wide.ofType, narrow.ofType);
  }
  return isNamedType(wide) && isNamedType(narrow) && wide.name === narrow.name;
}
