import type { GraphQLNamedType } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';

export type TypeKind = 'type' | 'interface' | 'union' | 'enum' | 'input' | 'scalar';

/** The keyword by which the schema language defines a type. */
export function kindOfType(type: GraphQLNamedType): TypeKind {
  if (isObjectType(type)) {
    return 'type';
  }
  if (isInterfaceType(type)) {
    return 'interface';
  }
  if (isUnionType(type)) {
    return 'union';
  }
  if (isEnumType(type)) {
    return 'enum';
  }
  return isInputObjectType(type) ? 'input' : 'scalar';
}
