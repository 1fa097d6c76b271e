import type { GraphQLInterfaceType, GraphQLObjectType, GraphQLUnionType } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import { pairTexts } from '../pair-by-key.ts';

/** Compares the members of a union. */
export function compareMembers(before: GraphQLUnionType, after: GraphQLUnionType): Change[] {
  const { added, removed } = pairTexts(namesOf(before.getTypes()), namesOf(after.getTypes()));
  return [
    ...removed.map((member) => changeOf('UNION_MEMBER_REMOVED', before.name, { before: member })),
    ...added.map((member) => changeOf('UNION_MEMBER_ADDED', before.name, { after: member })),
  ];
}

/** Compares the interfaces that an object or an interface implements. */
export function compareInterfaces(
  before: GraphQLObjectType | GraphQLInterfaceType,
  after: GraphQLObjectType | GraphQLInterfaceType,
): Change[] {
  const { added, removed } = pairTexts(namesOf(before.getInterfaces()), namesOf(after.getInterfaces()));
  return [
    ...removed.map((name) => changeOf('OBJECT_TYPE_INTERFACE_REMOVED', before.name, { before: name })),
    ...added.map((name) => changeOf('OBJECT_TYPE_INTERFACE_ADDED', before.name, { after: name })),
  ];
}

function namesOf(types: readonly { readonly name: string }[]): readonly string[] {
  return types.map(({ name }) => name);
}
