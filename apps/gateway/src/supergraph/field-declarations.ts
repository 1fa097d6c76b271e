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
 * All declarations that may apply to a field: its own and, for a field of an interface, the declarations in
 * the possible object types. A rule of any of them holds for the field, since the type is not known in
 * advance.
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
