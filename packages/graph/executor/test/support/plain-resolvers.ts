import type { ObjectTypeDefinitionNode, TypeNode } from 'graphql';
import { Kind, parse } from 'graphql';

import type { Resolvers } from './stub-subgraph.ts';
import { sdlOf } from './stub-subgraph.ts';

/** Resolvers that follow from the schema alone: each value from its field's name, two items in each list. */
export function plainResolvers(sdl: string): Resolvers {
  const { definitions } = parse(sdlOf({ sdl, resolvers: {} }));
  const objects = definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION);
  const implementer = (name: string): string | undefined =>
    objects.find(({ interfaces = [] }) => interfaces.some((one) => one.name.value === name))?.name.value;

  const valueOf = (type: TypeNode, field: string): unknown => {
    if (type.kind === Kind.NON_NULL_TYPE) {
      return valueOf(type.type, field);
    }
    if (type.kind === Kind.LIST_TYPE) {
      return [valueOf(type.type, field), valueOf(type.type, field)];
    }
    const { value } = type.name;
    switch (value) {
      case 'ID':
        return field;
      case 'Int':
        return field.length;
      case 'String':
        return `the ${field}`;
      default:
        return { __typename: implementer(value) ?? value };
    }
  };
  const resolversOf = ({ name, fields = [] }: ObjectTypeDefinitionNode): Resolvers[string] => ({
    ...Object.fromEntries(
      fields.map(({ name: { value: field }, type }) => [field, () => valueOf(type, field)]),
    ),
    ...(name.value !== 'Query' &&
      name.value !== 'Mutation' && { __resolveReference: (given: object) => given }),
  });
  const interfaces = definitions.filter((definition) => definition.kind === Kind.INTERFACE_TYPE_DEFINITION);
  return Object.fromEntries([
    ...objects.map((object) => [object.name.value, resolversOf(object)]),
    ...interfaces.map(({ name: { value } }) => [
      value,
      { __resolveReference: (given: object) => ({ ...given, __typename: implementer(value) }) },
    ]),
  ]);
}
