import { expect, it } from '@jest/globals';
import { demoProducts, demoReviews, demoTenantIds } from '@meridian/demo-data';
import { processSuite } from '@meridian/subgraph/test-support';

processSuite('reviews', import.meta.url, (app) => {
  it('Its seed prints progress, and fills its database', async () => {
    const total = demoTenantIds.flatMap(demoReviews).length;
    expect(app().seedRuns[0]?.at(-1)).toBe(`seed ${total} ${total}`);

    const [product] = demoProducts('acme');
    const ratings = demoReviews('acme')
      .filter((review) => review.productId === product?.id)
      .map((review) => review.rating);
    const { data } = await app().ask(`{
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
});
