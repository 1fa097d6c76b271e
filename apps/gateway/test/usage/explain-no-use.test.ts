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
  it('is empty for a field, an input field and an enum value of the schema, which may be unused', () => {
    for (const name of ['Product.name', 'Restock', 'Restock.note', 'Color.RED']) {
      expect(explainNoUse(schema, name)).toBeUndefined();
    }
  });

  it.each([
    ['Product.nmae', 'Product.nmae: Product has no field nmae, but name, color'],
    ['Prodcut.name', 'Prodcut.name: there is no type Prodcut'],
    ['Restock.noet', 'Restock.noet: Restock has no field noet, but note'],
    ['Color.READ', 'Color.READ: Color has no value READ, but RED'],
    [
      'Found.name',
      'Found.name: Found is a union, whose use is not recorded: only fields that operations select, input fields and enum values are',
    ],
    [
      'Time',
      'Time: Time is a scalar, whose use is not recorded: only fields that operations select, input fields and enum values are',
    ],
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
