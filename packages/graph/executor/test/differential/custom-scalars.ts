// Values of custom scalars: JSON of every form, above all the numbers that a double would change. Two entities have keys
// that are one double.
import type { ConstObjectFieldNode, GraphQLSchema, ValueNode } from 'graphql';
import { Kind, isScalarType, isSpecifiedScalarType, valueFromASTUntyped } from 'graphql';

import type { Random } from '@meridian/testing';
import { isRawNumber, rawNumber } from '../support/exact-json.ts';

/** By a number from 0. */
export function customValue(choice: number): unknown {
  const inner = forms[Math.floor(choice / forms.length) % forms.length];
  const outer = choice % (forms.length + 3);
  switch (outer) {
    case 0:
      return { custom: [inner, null, { deep: inner }] };
    case 1:
      return { custom: { list: [[inner], {}, []], text: '"1.0"', none: null } };
    case 2:
      return [inner, [inner, null], rawNumber('10000000000000000000001')];
    default:
      return forms[outer - 3];
  }
}

const forms: readonly unknown[] = [
  ...[
    '0',
    '3',
    '-17',
    '0.25',
    '9007199254740993',
    '-9007199254740993',
    '9007199254740995',
    '9223372036854775807',
    '12345678901234567890123',
    '0.30000000000000000001',
    '1.0',
    '1.50',
    '-0',
    '0.0',
    '1e3',
    '1E+2',
    '2.5e-7',
    '1e400',
    '-1e400',
    '1e-400',
  ].map(rawNumber),
  true,
  false,
  '',
  '9007199254740993',
  'with "quotes" 1.0',
];

/** The key of an entity. */
export function serialOf(id: string): unknown {
  return rawNumber(/^\d+$/.test(id) ? String(firstSerial + BigInt(id)) : '0');
}

/** The entity of a key. */
export function idOfSerial(serial: unknown): string {
  const text = JSON.stringify(serial);
  return /^-?\d+$/.test(text) ? String(BigInt(text) - firstSerial) : 'unknown';
}

const firstSerial = 9_007_199_254_740_992n;

/** A value as a literal, and as what a variable of it is. */
export function customInput(random: Random): { readonly literal: string; readonly value: unknown } {
  const value = customValue(random.below(1000));
  return { literal: literalOf(value), value };
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(literalOf).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null && !isRawNumber(value)) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${name}: ${literalOf(member)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** Lets a service read literals of custom scalars exactly: graphql-js makes doubles of their numbers. */
export function readLiteralsExactly(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      type.parseLiteral = readLiteral;
    }
  }
  return schema;
}

function readLiteral(node: ValueNode, variables?: Parameters<typeof valueFromASTUntyped>[1]): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return JSON.stringify(Number(node.value)) === node.value ? Number(node.value) : rawNumber(node.value);
    case Kind.LIST:
      return node.values.map((item) => readLiteral(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(
          ({ name, value }: ConstObjectFieldNode | { name: { value: string }; value: ValueNode }) => [
            name.value,
            readLiteral(value, variables),
          ],
        ),
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
