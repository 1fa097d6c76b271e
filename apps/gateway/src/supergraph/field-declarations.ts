import type {
  GraphQLField,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';
import { isInterfaceType, isObjectType } from 'graphql';

/** A field as one type declares it. */
export interface FieldDeclaration {
  readonly parent: GraphQLInterfaceType | GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
}

/**
 * Every declaration that may answer for a field: its own, and for a field of an interface those of the object types that
 * may stand there. What holds for any of them has to hold for the field, since nobody knows yet which it will be.
 */
export function declarationsOf(
  schema: GraphQLSchema,
  parentName: string,
  fieldName: string,
): readonly FieldDeclaration[] {
  const parent = schema.getType(parentName);
  const types: readonly (GraphQLNamedType | null | undefined)[] = isInterfaceType(parent)
    ? [parent, ...schema.getPossibleTypes(parent)]
    : [parent];
  return types.flatMap((type) => {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
    return field === undefined || !(isObjectType(type) || isInterfaceType(type))
      ? []
      : [{ parent: type, field }];
  });
}
