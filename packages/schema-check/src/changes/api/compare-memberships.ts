import type {
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
} from 'graphql';
import { isObjectType } from 'graphql';

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

/** The interfaces of the schema before that a new object implements: responses may have it where they had others. */
export function compareNewImplementor(before: GraphQLSchema, added: GraphQLNamedType): Change[] {
  return isObjectType(added)
    ? namesOf(added.getInterfaces())
        .filter((name) => before.getType(name) !== undefined)
        .map((name) => changeOf('OBJECT_TYPE_INTERFACE_ADDED', added.name, { after: name }))
    : [];
}

function namesOf(types: readonly { readonly name: string }[]): readonly string[] {
  return types.map(({ name }) => name);
}
