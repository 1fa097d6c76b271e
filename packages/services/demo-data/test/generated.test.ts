import { describe, expect, it } from '@jest/globals';

import { generatedOrders, generatedProducts, generatedReviews } from '../src/index.ts';

const size = { products: 10, reviews: 100, orders: 50 };

describe('Generated data', () => {
  it('has the same thing at a position, whatever range is generated', () => {
    const all = generatedReviews('big', { from: 0, to: 100 }, size);
    expect(generatedReviews('big', { from: 40, to: 60 }, size)).toEqual(all.slice(40, 60));
  });

  it('gives everything an identifier of its own, across kinds and tenants', () => {
    const identifiers = ['big', 'bigger'].flatMap((tenantId) =>
      [
        generatedProducts(tenantId, { from: 0, to: 1000 }),
        generatedReviews(tenantId, { from: 0, to: 1000 }, size),
        generatedOrders(tenantId, { from: 0, to: 1000 }, size),
      ].flatMap((things) => things.map(({ id }) => id)),
    );
    expect(new Set(identifiers).size).toBe(identifiers.length);
  });

  it('reviews and orders existing products, each product as often', () => {
    const products = generatedProducts('big', { from: 0, to: size.products }).map(({ id }) => id);
    const reviews = generatedReviews('big', { from: 0, to: size.reviews }, size);
    expect(Object.values(Object.groupBy(reviews, ({ productId }) => productId))).toEqual(
      products.map((productId) => reviews.filter((review) => review.productId === productId)),
    );
    expect(reviews.filter(({ productId }) => productId === products[0])).toHaveLength(10);

    const orders = generatedOrders('big', { from: 0, to: size.orders }, size);
    const ordered = orders.flatMap(({ lineItems }) => lineItems.map(({ productId }) => productId));
    expect(ordered.filter((productId) => !products.includes(productId))).toEqual([]);
  });
});
