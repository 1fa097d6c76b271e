import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';

import { isValidOperation, operationErrors } from '../../../src/changes/impact/validate-operation.ts';

const schema = buildSchema(`
  type Query { node(filter: Filter): Node }
  interface Node { id: ID! }
  type Product implements Node { id: ID! name: String }
  input Filter { text: String }
`);

describe('Validation of an operation', () => {
  it.each([
    [
      'a query with a variable and a fragment',
      'query ($f: Filter) { node(filter: $f) { ...on Product { name } } }',
      0,
    ],
    [
      'a query with built-in types',
      'query ($t: String) { node(filter: { text: $t }) { id } __schema { types { name } } }',
      0,
    ],
    ['a variable of an unknown type', 'query ($f: Fitler) { node(filter: $f) { id } }', 1],
    ['a fragment on an unknown type', '{ node { ...P } } fragment P on Prodct { name }', 1],
    ['an inline fragment on an unknown type', '{ node { ... on constructor { id } } }', 1],
    ['an unknown field', '{ node { name } }', 1],
    ['an unknown field and an unknown type', 'query ($f: Fitler) { node(filter: $f) { nmae } }', 2],
    [
      'a type definition beside a query that uses it',
      'type Own { id: ID } { node { ... on Own { id } } }',
      1,
    ],
  ])('finds the errors of graphql-js in %s', (_name, text, count) => {
    const document = parse(text);
    const expected = validate(schema, document).map(({ message }) => message);
    expect(operationErrors(schema, document).map(({ message }) => message)).toEqual(expected);
    expect(expected).toHaveLength(count);
    expect(isValidOperation(schema, document)).toBe(count === 0);
  });
});
