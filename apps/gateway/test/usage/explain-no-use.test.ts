import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';

import { explainNoUse } from '../../src/usage/explain-no-use.ts';

const schema = buildSchema(`
  type Query { product(id: ID!): Product  search: Found }
  type Product { name: String  color: Color }
  input Restock { note: String }
  enum Color { RED }
  union Found = Product
  scalar Time
`);

describe('The explanation of absent usage', () => {
  it('is empty for a field of the schema, which may be unused', () => {
    expect(explainNoUse(schema, 'Product.name')).toBeUndefined();
  });

  it.each([
    ['Product.nmae', 'Product.nmae: Product has no field nmae, but name, color'],
    ['Prodcut.name', 'Prodcut.name: there is no type Prodcut'],
    [
      'Restock.note',
      'Restock.note: Restock is an input, whose use is not recorded: only fields that operations select are',
    ],
    [
      'Color.RED',
      'Color.RED: Color is an enum, whose use is not recorded: only fields that operations select are',
    ],
    [
      'Found.name',
      'Found.name: Found is a union, whose use is not recorded: only fields that operations select are',
    ],
    ['Time', 'Time: Time is a scalar, whose use is not recorded: only fields that operations select are'],
    ['Product', 'Product is a type: ask with --type Product'],
    [
      'Query.product(id:)',
      'Query.product(id:) is an argument, whose use is not recorded: only fields that operations select are (--field Query.product)',
    ],
    [
      'Query.product.id',
      'Query.product.id is an argument, whose use is not recorded: only fields that operations select are (--field Query.product)',
    ],
  ])('says why nothing is recorded for %s', (name, sentence) => {
    expect(explainNoUse(schema, name)).toBe(sentence);
  });
});
