import { ExactNumber, isExactNumber } from '@meridian/json';
import type { ConstValueNode, GraphQLArgument, GraphQLInputField, GraphQLSchema, ValueNode } from 'graphql';
import {
  Kind,
  isInputObjectType,
  isScalarType,
  isSpecifiedScalarType,
  valueFromAST,
  valueFromASTUntyped,
} from 'graphql';

type Variables = Parameters<typeof valueFromASTUntyped>[1];

/**
 * Lets the custom scalars of a schema keep the digits of numbers in literals, and in the defaults of input fields:
 * graphql-js makes doubles of them.
 *
 * @param written a schema with the definitions as they were written
 */
export function keepLiterals(schema: GraphQLSchema, written: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap());
  for (const type of types) {
    if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      type.parseLiteral = exactValue;
    }
  }
  for (const type of types) {
    const source = written.getType(type.name);
    if (isInputObjectType(type) && isInputObjectType(source)) {
      for (const field of Object.values(type.getFields())) {
        keepDefault(field, source.getFields()[field.name]?.astNode?.defaultValue);
      }
    }
  }
}

function keepDefault(field: GraphQLInputField | GraphQLArgument, literal: ConstValueNode | undefined): void {
  if (literal !== undefined) {
    field.defaultValue = valueFromAST(literal, field.type);
  }
}

function exactValue(node: ValueNode, variables?: Variables): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return isExactNumber(node.value) ? new ExactNumber(node.value) : Number(node.value);
    case Kind.LIST:
      return node.values.map((item) => exactValue(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, exactValue(value, variables)]),
      );
    case Kind.VARIABLE:
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.NULL:
    case Kind.ENUM:
    default:
      return valueFromASTUntyped(node, variables);
  }
}
