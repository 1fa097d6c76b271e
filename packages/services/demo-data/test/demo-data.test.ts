import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  demoCustomers,
  demoOrders,
  demoProducts,
  demoReviews,
  demoTenantIds,
  demoUsers,
} from '../src/index.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const identifiersOf = (tenantId: string) =>
  [demoProducts, demoReviews, demoCustomers, demoOrders].flatMap((make) =>
    make(tenantId).map(({ id }) => id),
  );

describe('Demo data', () => {
  it('has 200 products a tenant, best-selling first', () => {
    for (const tenantId of demoTenantIds) {
      const products = demoProducts(tenantId);
      expect(products).toHaveLength(200);
      const unitsSold = products.map((product) => product.unitsSold);
      expect(unitsSold).toEqual([...new Set(unitsSold)].toSorted((a, b) => b - a));
    }
  });

  it('has at least ten reviews for each product, by users of the tenant', () => {
    const subjects = new Set(demoUsers().map((user) => user.subject));
    const reviews = demoReviews('acme');
    for (const product of demoProducts('acme')) {
      expect(reviews.filter((review) => review.productId === product.id).length).toBeGreaterThanOrEqual(10);
    }
    expect(reviews.every((review) => subjects.has(review.authorSubject))).toBe(true);
  });

  it('has 200 different authors for ten reviews of each of the twenty best-selling products', () => {
    const reviews = demoReviews('acme');
    const authors = demoProducts('acme')
      .slice(0, 20)
      .flatMap((product) => reviews.filter((review) => review.productId === product.id).slice(0, 10))
      .map((review) => review.authorSubject);
    expect(new Set(authors).size).toBe(200);
  });

  it('has at least ten orders a tenant that can be cancelled', () => {
    for (const tenantId of demoTenantIds) {
      const cancellable = demoOrders(tenantId).filter(
        ({ status }) => status === 'placed' || status === 'paid',
      );
      expect(cancellable.length).toBeGreaterThanOrEqual(10);
    }
  });

  it('has the users alice and bob', () => {
    expect(demoUsers().slice(0, 2)).toEqual([
      { subject: 'alice', name: 'Alice Adler' },
      { subject: 'bob', name: 'Bob Adler' },
    ]);
    expect(new Set(demoUsers().map((user) => user.subject)).size).toBe(240);
  });

  it('gives everything an identifier of its own, in the form of a UUIDv7, across tenants', () => {
    const identifiers = demoTenantIds.flatMap(identifiersOf);
    expect(new Set(identifiers).size).toBe(identifiers.length);
    expect(identifiers.filter((identifier) => !uuidV7.test(identifier))).toEqual([]);
  });

  it('gives the same identifiers on every machine', () => {
    const digest = createHash('sha256').update(demoTenantIds.flatMap(identifiersOf).join()).digest('hex');
    expect(digest).toBe('cffce07b1f3774628f9fefb2fc7ed4d3464555dba6e44d7ea3c1b075edc6f0c9');
  });
});
