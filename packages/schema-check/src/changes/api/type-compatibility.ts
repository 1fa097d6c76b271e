import type { GraphQLInputType, GraphQLOutputType, GraphQLType } from 'graphql';
import { isListType, isNamedType, isNonNullType } from 'graphql';

/** True when every value of the new type of a field is one of the old type: it promises the same or more. */
export function isSafeOutputChange(before: GraphQLOutputType, after: GraphQLOutputType): boolean {
  return promisesAsMuch(before, after);
}

/** True when every value for the old type of an input is one for the new type: it takes the same or more. */
export function isSafeInputChange(before: GraphQLInputType, after: GraphQLInputType): boolean {
  return promisesAsMuch(after, before);
}

/** True when the values of `narrow` are values of `wide`, as far as lists and nulls go. */
function promisesAsMuch(wide: GraphQLType, narrow: GraphQLType): boolean {
  if (isNonNullType(narrow)) {
    return promisesAsMuch(isNonNullType(wide) ? wide.ofType : wide, narrow.ofType);
  }
  if (isListType(wide)) {
    return isListType(narrow) && promisesAsMuch(wide.ofType, narrow.ofType);
  }
  return isNamedType(wide) && isNamedType(narrow) && wide.name === narrow.name;
}
