import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';

import { elementsOfOperation } from '../../src/usage/elements-of-operation.ts';
import { createReadInputs } from '../../src/usage/read-inputs.ts';

const schema = buildSchema(`
  type Query { find(filter: Filter, order: Order, limit: Int, ids: [ID!]): [String] }
  input Filter { text: String, order: Order, not: Filter, any: [Filter!], tags: [Tag!] }
  input Tag { name: String! }
  enum Order { UP, DOWN }
`);

function inputsIn(declared: string, variables: Record<string, unknown>): readonly string[] | undefined {
  const readInputs = createReadInputs(schema, parse(`query (${declared}) { find }`));
  const into = new Set<string>();
  readInputs?.(variables, into);
  return readInputs && [...into].toSorted();
}

describe('The inputs that variables hold', () => {
  it('are input objects, their fields and enum values, at any depth, and no other value', () => {
    const filter = {
      text: 'secret',
      not: { order: 'UP' },
      any: [{ tags: [{ name: 'private' }] }, { text: null }],
    };
    expect(inputsIn('$filter: Filter', { filter })).toEqual([
      'Filter',
      'Filter.any',
      'Filter.not',
      'Filter.order',
      'Filter.tags',
      'Filter.text',
      'Order.UP',
      'Tag',
      'Tag.name',
    ]);
  });

  it('are read of lists, of one value for a list, and of nothing that is left out', () => {
    expect(inputsIn('$orders: [Order!]', { orders: ['DOWN', 'UP'] })).toEqual(['Order.DOWN', 'Order.UP']);
    expect(inputsIn('$orders: [Order!]', { orders: 'DOWN' })).toEqual(['Order.DOWN']);
    expect(inputsIn('$filter: Filter, $order: Order', { order: null })).toEqual([]);
  });

  it('are not looked for where no variable can hold any', () => {
    expect(inputsIn('$limit: Int, $ids: [ID!]', { limit: 3, ids: ['1'] })).toBeUndefined();
  });

  it('are all that a variable may hold where there are too many values to read', () => {
    const any = Array.from({ length: 2000 }, () => ({ text: 'x' }));
    expect(inputsIn('$filter: Filter', { filter: { any } })).toEqual([
      'Filter',
      'Filter.any',
      'Filter.not',
      'Filter.order',
      'Filter.tags',
      'Filter.text',
      'Order.DOWN',
      'Order.UP',
      'Tag',
      'Tag.name',
    ]);
  });
});

describe('The inputs that are written in an operation', () => {
  it('are found in arguments and in defaults of variables', () => {
    const document = parse(
      'query ($order: Order = UP) { find(filter: { text: "x", tags: [] }, order: $order) }',
    );
    expect(elementsOfOperation(schema, document).inputs.toSorted()).toEqual([
      'Filter',
      'Filter.tags',
      'Filter.text',
      'Order.UP',
    ]);
  });
});
