import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { createIdentifier } from '@meridian/subgraph';

import { startOrders } from '../start-orders.ts';

describe('Product of orders', () => {
  const orders = useStarted(() => startOrders());

  it.each([
    [50, 500],
    [1000, 500],
    [1001, 610],
    [20_000, 2590],
  ])('estimates the shipping of %i grams, without a statement', async (weightGrams, expected) => {
    const { response, statements } = await orders.counting(() =>
      orders.entities('Product', [{ id: createIdentifier(), weightGrams }], '{ shippingEstimateMinorUnits }'),
    );
    expect(response).toEqual({ data: { _entities: [{ shippingEstimateMinorUnits: expected }] } });
    expect(statements).toBe(0);
  });

  it.each([
    ['no weight', {}],
    ['a weight of null', { weightGrams: null }],
    ['a weight that is not an integer', { weightGrams: '7' }],
    ['a weight beyond any parcel', { weightGrams: 2 ** 53 - 1 }],
  ])('estimates null for %s, without an error', async (_what, representation) => {
    const keys = [{ id: createIdentifier(), ...representation }];
    expect(await orders.entities('Product', keys, '{ shippingEstimateMinorUnits }')).toEqual({
      data: { _entities: [{ shippingEstimateMinorUnits: null }] },
    });
  });
});
