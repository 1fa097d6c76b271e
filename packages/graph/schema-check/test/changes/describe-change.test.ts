import { describe, expect, it } from '@jest/globals';

import { changeOf, describeChange } from '../../src/changes/change.ts';

describe('The sentence of a change', () => {
  it.each([
    [
      changeOf('SUBGRAPH_ADDED', 'subgraph stock', { after: 'http://127.0.0.1:4007', subgraph: 'stock' }),
      'subgraph stock is added: http://127.0.0.1:4007',
    ],
    [
      changeOf('ROUTING_URL_CHANGED', 'subgraph stock', { before: 'a', after: 'b', subgraph: 'stock' }),
      'subgraph stock has another routing URL: a → b',
    ],
    [
      changeOf('TYPE_JOINED', 'Product', { after: 'stock', subgraph: 'stock' }),
      'Product is defined in another subgraph: stock',
    ],
    [
      changeOf('FIELD_MOVED', 'Product.price', { before: 'products', after: 'stock', subgraph: 'stock' }),
      'Product.price is resolved by another subgraph: products → stock',
    ],
    [
      changeOf('KEY_ADDED', 'Product', { after: 'sku', subgraph: 'stock' }),
      'Product has another @key in stock: sku',
    ],
    [changeOf('FIELD_REMOVED', 'Product.price', { before: 'Int!' }), 'Product.price is removed: Int!'],
    [changeOf('ENUM_VALUE_ADDED', 'Status.LOST', { after: 'LOST' }), 'Status.LOST is added'],
    [
      changeOf('FIELD_ARGUMENT_DEFAULT_CHANGED', 'Query.orders(first:)', { after: '20' }),
      'Query.orders(first:) has a new default: 20',
    ],
    [
      changeOf('REQUIRES_CHANGED', 'Product.fee', { before: 'weight', subgraph: 'stock' }),
      'Product.fee lost its @requires in stock: weight',
    ],
    [
      changeOf('LINK_CHANGED', 'schema', { before: 'https://specs.apollo.dev/tag/v0.3', subgraph: 'stock' }),
      'schema no longer links a specification in stock: https://specs.apollo.dev/tag/v0.3',
    ],
    [
      changeOf('AUTHORIZATION_TIGHTENED', 'Product.price', { after: '@authenticated' }),
      'Product.price needs more authorization: none → @authenticated',
    ],
    [changeOf('SHAREABLE_ADDED', 'Product.fee'), 'Product.fee is @shareable'],
    [
      changeOf('OPERATION_PLAN_CHANGED', 'operation Top', { before: '3 fetches', after: '3 fetches' }),
      'operation Top has another plan: 3 fetches',
    ],
    [
      changeOf('COMPOSITION_HINT', 'OVERRIDDEN', {
        after: 'Consider\n  removing it.',
        detail: 'Consider\n  removing it.',
      }),
      'OVERRIDDEN is a new hint of composition: Consider removing it.',
    ],
  ])('names subgraph and values once: %j', (change, sentence) => {
    expect(describeChange(change)).toBe(sentence);
  });
});
