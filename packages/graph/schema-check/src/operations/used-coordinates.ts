import type { ReadOperation } from '../changes/impact/read-operation.ts';
import type { GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType } from 'graphql';

/**
 * The coordinates of fields, arguments, input fields and enum values that an operation uses. An input that variables
 * may hold counts as used, unless usage says which ones clients send.
 */
export function usedCoordinates(
  schema: GraphQLSchema,
  { facts, operation: { sentInputs } }: ReadOperation,
): ReadonlySet<string> {
  const used = new Set([...facts.resolvedFields, ...facts.written]);
  for (const name of facts.returnedEnums) {
    for (const member of membersOf(schema, name)) {
      used.add(member);
    }
  }
  for (const name of facts.variableTypes) {
    for (const member of membersOf(schema, name)) {
      if (sentInputs?.has(member) ?? true) {
        used.add(member);
      }
    }
  }
  return used;
}

function membersOf(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name);
  if (isEnumType(type)) {
    return type.getValues().map((value) => `${name}.${value.name}`);
  }
  return isInputObjectType(type) ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : [];
}
