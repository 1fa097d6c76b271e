import type { GraphQLNamedType } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';

const kinds = [
  [isObjectType, 'type'],
  [isInterfaceType, 'interface'],
  [isUnionType, 'union'],
  [isEnumType, 'enum'],
  [isInputObjectType, 'input'],
] as const;

export type TypeKind = (typeof kinds)[number][1] | 'scalar';

/** The keyword by which the schema language defines a type. */
export function kindOfType(type: GraphQLNamedType): TypeKind {
  return kinds.find(([isOfKind]) => isOfKind(type))?.[1] ?? 'scalar';
}
