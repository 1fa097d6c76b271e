import type { GraphQLNamedType, GraphQLSchema, GraphQLType } from 'graphql';
import {
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedDirective,
  isUnionType,
} from 'graphql';

/**
 * The names of the types that an operation can meet: from the root types, and from the arguments of directives.
 *
 * @param composed the types of the arguments of directives that only subgraphs apply: composition keeps both
 */
export function reachableTypes(schema: GraphQLSchema, composed: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  const open: GraphQLNamedType[] = [];
  const meet = (type: GraphQLType): void => {
    const named = getNamedType(type);
    if (!names.has(named.name)) {
      names.add(named.name);
      open.push(named);
    }
  };
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (root) {
      meet(root);
    }
  }
  for (const directive of schema.getDirectives().filter((one) => !isSpecifiedDirective(one))) {
    directive.args.forEach(({ type }) => meet(type));
  }
  composed.map((name) => schema.getType(name)).forEach((type) => type && meet(type));
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        meet(field.type);
        field.args.forEach((argument) => meet(argument.type));
      }
      type.getInterfaces().forEach(meet);
    }
    if (isInterfaceType(type) || isUnionType(type)) {
      schema.getPossibleTypes(type).forEach(meet);
    }
    if (isInputObjectType(type)) {
      Object.values(type.getFields()).forEach((field) => meet(field.type));
    }
  }
  return names;
}
