import type { GraphQLSchema } from 'graphql';
import { getNamedType, isEnumType, isInputObjectType } from 'graphql';

const known = new WeakMap<GraphQLSchema, Map<string, readonly string[]>>();

/** The input objects and enums that a value of an input type may hold, the type itself included. */
export function reachableInputs(schema: GraphQLSchema, typeName: string): readonly string[] {
  const ofSchema = known.get(schema) ?? new Map<string, readonly string[]>();
  known.set(schema, ofSchema);
  const found = ofSchema.get(typeName) ?? findReachable(schema, typeName);
  ofSchema.set(typeName, found);
  return found;
}

function findReachable(schema: GraphQLSchema, typeName: string): readonly string[] {
  const reached = new Set<string>();
  const open = [typeName];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const type = schema.getType(name);
    if (reached.has(name) || !(isInputObjectType(type) || isEnumType(type))) {
      continue;
    }
    reached.add(name);
    if (isInputObjectType(type)) {
      open.push(...Object.values(type.getFields()).map((field) => getNamedType(field.type).name));
    }
  }
  return [...reached];
}
