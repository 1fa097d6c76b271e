import { describe, expect, it } from '@jest/globals';
import { coerceVariables } from '@meridian/executor';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OperationDefinitionNode } from 'graphql';
import { buildSchema, parse } from 'graphql';

import { inputSchemaOf } from '../../src/mcp/input-schema.ts';

const schema = buildSchema(`
  type Query {
    "Finds things."
    find("What to look for." by: Filter, ids: [ID!], size: Int, one: One, at: Moment, sort: Sort = NEWEST): Int
  }
  "A point in time."
  scalar Moment @specifiedBy(url: "https://moments.example")
  enum Sort { "The newest first." NEWEST OLDEST }
  "All that is given must hold."
  input Filter { text: String!  limit: Int! = 5  any: [Filter!]  not: Filter  sort: Sort }
  input One @oneOf { id: ID  name: String }
`);

function schemaOf(variables: string, uses: string): ReturnType<typeof inputSchemaOf> {
  const document = parse(`query Q(${variables}) { find(${uses}) }`);
  const definition = document.definitions[0] as OperationDefinitionNode;
  return inputSchemaOf(schema, { document, definition, pageSizes: [] });
}

describe('The schema of variables', () => {
  it('has descriptions, defaults and custom scalars', () => {
    expect(
      schemaOf('$by: Filter, $at: Moment!, $sort: Sort! = OLDEST', 'by: $by, at: $at, sort: $sort'),
    ).toEqual({
      type: 'object',
      properties: {
        by: { anyOf: [{ $ref: '#/$defs/Filter' }, { type: 'null' }], description: 'What to look for.' },
        at: { description: 'The scalar Moment: A point in time. https://moments.example' },
        sort: { $ref: '#/$defs/Sort', default: 'OLDEST' },
      },
      required: ['at'],
      additionalProperties: false,
      $defs: {
        Filter: expect.objectContaining({
          description: 'All that is given must hold.',
          required: ['text'],
        }) as unknown,
        Sort: { type: 'string', enum: ['NEWEST', 'OLDEST'], description: 'NEWEST: The newest first.' },
      },
    });
  });

  // Each value is accepted by the schema exactly if it is by the gateway.
  it.each<[string, string, readonly unknown[]]>([
    ['Filter!', 'by: $v', [null, {}, { text: 'a' }, { text: null }, { text: 'a', limit: 3, sort: 'OLDEST' }]],
    [
      'Filter',
      'by: $v',
      [null, { text: 'a', sort: 'WORST' }, { text: 'a', other: 1 }, { text: 'a', limit: null }],
    ],
    [
      'Filter',
      'by: $v',
      [
        { text: 'a', any: [{ text: 'b', not: { text: 'c', any: [] } }] },
        { text: 'a', not: {} },
      ],
    ],
    ['[ID!]', 'ids: $v', [null, [], ['a'], [null], [['a']], { a: 1 }]],
    ['Int', 'size: $v', [null, 0, -1, 2 ** 31 - 1, 2 ** 31, 1.5, '1', true, [[1]]]],
    ['Int!', 'size: $v', [null, 7]],
    ['One', 'one: $v', [{ id: 'a' }, { name: 'b' }, {}, { id: 'a', name: 'b' }, { what: 1 }]],
    ['Sort', 'sort: $v', ['NEWEST', 'newest', 1, null]],
  ])('of %s accepts the values that the gateway accepts', (type, use, values) => {
    const validate = new Ajv2020().compile(schemaOf(`$v: ${type}`, use));
    const { variableDefinitions = [] } = parse(`query Q($v: ${type}) { find(${use}) }`)
      .definitions[0] as OperationDefinitionNode;
    for (const value of values) {
      const { faults } = coerceVariables(schema, variableDefinitions, { v: value });
      expect([value, validate({ v: value })]).toEqual([value, faults === undefined]);
    }
  });
});
