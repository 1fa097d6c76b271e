import { describe, expect, it } from '@jest/globals';
import type { Random } from '@meridian/testing';
import { caseCount, createRandom } from '@meridian/testing';
import type { VariableDefinitionNode } from 'graphql';
import { Kind, buildSchema, getVariableValues, parse } from 'graphql';

import { coerceVariables } from '../../src/operation/coerce-variables.ts';

const schema = buildSchema(`
  scalar Json
  enum Unit { KG LB }
  input Range { from: Int, to: Int!, unit: Unit = KG, next: Range }
  input Choice @oneOf { id: ID, range: Range }
  input Filter { name: String!, ranges: [Range!], nested: [[Int]], choice: Choice, json: Json, share: Float = 0.5 }
  type Query { a: Int }
`);

const leaves = ['Int', 'Float', 'String', 'ID', 'Boolean', 'Json', 'Unit'];
const named = [...leaves, 'Range', 'Choice', 'Filter', 'Query', 'Absent'];
const fieldNames = [
  'from',
  'to',
  'unit',
  'next',
  'id',
  'range',
  'name',
  'ranges',
  'nested',
  'choice',
  'json',
  'constructor',
];

describe('coerceVariables', () => {
  it('accepts and returns what graphql-js does, for generated types and values', () => {
    const random = createRandom('coerce-variables');
    const rounds = caseCount(5000);
    let accepted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const definitions = declare([...Array(3).keys()].map((index) => `$v${index}: ${typeText(random)}`));
      const variables = Object.fromEntries(
        [...Array(3).keys()]
          .filter(() => random.chance(0.9))
          .map((index) => [`v${index}`, valueOf(random, 3)]),
      );
      const expected = getVariableValues(schema, definitions, variables);
      const { coerced, faults } = coerceVariables(schema, definitions, variables);
      expect({ variables, coerced }).toEqual({ variables, coerced: expected.coerced });
      expect(faults === undefined).toBe(expected.errors === undefined);
      accepted += coerced === undefined ? 0 : 1;
    }
    expect(accepted).toBeGreaterThan(rounds / 100);
  });

  it('reads at most the fields of the type from an object, and prints none of its values', () => {
    const members = Object.fromEntries([...Array(24_000).keys()].map((index) => [`k${index}`, 'a value']));
    const read: string[] = [];
    const watched = new Proxy(members, {
      get: (target, name, receiver) => {
        read.push(String(name));
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    for (const type of ['Filter', '[Filter!]!', 'Choice', 'ID', 'Int', 'String!', 'Unit', '[Boolean]']) {
      const { faults = [] } = coerceVariables(schema, declare([`$v: ${type}`]), { v: watched });
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.length).toBeLessThanOrEqual(10);
      expect(faults.map(({ message }) => message).join('')).not.toContain('a value');
    }
    expect(read.filter((name) => name.startsWith('k'))).toEqual([]);
  });

  it('cuts long names and texts in its messages', () => {
    const long = 'x'.repeat(100_000);
    for (const value of [{ [long]: 1 }, long]) {
      for (const type of ['Filter', 'Int', 'Unit', 'Boolean']) {
        const { faults = [] } = coerceVariables(schema, declare([`$v: ${type}`]), { v: value });
        expect(faults.length).toBeGreaterThan(0);
        expect(Math.max(...faults.map(({ message }) => message.length))).toBeLessThanOrEqual(300);
      }
    }
  });

  it('says which variable and where in it', () => {
    const definitions = declare(['$filter: Filter', '$id: ID!']);
    const filter = { name: 'a', ranges: [{ to: 1 }, { to: 'x', extra: true }] };
    expect(coerceVariables(schema, definitions, { filter }).faults).toEqual([
      {
        variable: 'filter',
        message:
          'Variable "$filter" is invalid at "filter.ranges[1].to": Int cannot represent non-integer value: "x"',
      },
      {
        variable: 'filter',
        message:
          'Variable "$filter" is invalid at "filter.ranges[1]": The type "Range" has no field "extra".',
      },
      { variable: 'id', message: 'Variable "$id" is invalid: A value of the type "ID!" is required.' },
    ]);
  });
});

function declare(variables: readonly string[]): readonly VariableDefinitionNode[] {
  const [operation] = parse(`query (${variables.join(', ')}) { a }`).definitions;
  return operation?.kind === Kind.OPERATION_DEFINITION ? (operation.variableDefinitions ?? []) : [];
}

function typeText(random: Random): string {
  const inner = random.chance(0.3)
    ? `[${typeText(random)}]`
    : random.pick(random.chance(0.5) ? leaves : named);
  return random.chance(0.3) ? `${inner}!` : inner;
}

function valueOf(random: Random, depth: number): unknown {
  const scalars = [null, 1, 2, 3, true, 0, -1, 1.5, 2 ** 31, 1e300, '', 'KG', 'text', '7'];
  if (depth === 0 || random.chance(0.4)) {
    return random.pick(scalars);
  }
  if (random.chance(0.3)) {
    return [...Array(random.below(4)).keys()].map(() => valueOf(random, depth - 1));
  }
  return Object.fromEntries(random.some(fieldNames, 0.15).map((name) => [name, valueOf(random, depth - 1)]));
}
