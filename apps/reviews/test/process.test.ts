import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoProducts, demoReviews, demoTenantIds } from '@meridian/demo-data';
import { startDemoApp } from '@meridian/subgraph/test-support';
import type { DemoApp } from '@meridian/subgraph/test-support';

describe('The reviews process', () => {
  let app: DemoApp;
  beforeAll(async () => {
    app = await startDemoApp({
      main: new URL('../src/main.ts', import.meta.url),
      seed: new URL('../src/seed.ts', import.meta.url),
      migrations: new URL('../migrations/', import.meta.url),
      serviceRole: 'meridian_reviews',
    });
  });
  afterAll(() => app.close());

  it('is seeded with progress lines, and again without a change', async () => {
    const total = demoTenantIds.flatMap(demoReviews).length;
    expect(app.seedRuns[0]?.at(-1)).toBe(`seed ${total} ${total}`);
    expect(app.seedRuns[1]).toEqual(app.seedRuns[0]);

    const [product] = demoProducts('acme');
    const ratings = demoReviews('acme')
      .filter((review) => review.productId === product?.id)
      .map((review) => review.rating);
    const { data } = await app.ask(`{
      _entities(representations: [{ __typename: "Product", id: "${product?.id}" }]) {
        ... on Product { averageRating reviews(first: 100) { rating } }
      }
    }`);
    expect(data).toEqual({
      _entities: [
        {
          averageRating: ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length,
          reviews: ratings.map((rating) => ({ rating })),
        },
      ],
    });
  });

  it('becomes ready, and exits 0 when it is stopped', async () => {
    expect((await fetch(`${app.adminUrl}/readyz`)).status).toBe(200);
    expect(await app.stop()).toBe(0);
  });
});
