import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEventStore } from '@meridian/events';
import { createIdentifier, userIdOf } from '@meridian/subgraph';
import { startSubgraph, useStarted } from '@meridian/subgraph/test-support';

import { createApp } from '../src/app.ts';
import type { NewReview } from '../src/reviews/review.ts';
import { createReviewStore } from '../src/store/review-store.ts';

/** Reviews of a product, oldest first. */
function reviewsOf(productId: string, ratings: readonly number[]): NewReview[] {
  return ratings.map((rating, minute) => ({
    id: createIdentifier(),
    productId,
    authorId: createIdentifier(),
    rating,
    body: `review ${minute} of ${productId}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  }));
}

const [kettle, lamp, unreviewed, foreign] = Array.from({ length: 4 }, () => createIdentifier());
const kettleReviews = reviewsOf(kettle ?? '', [5, 4, 3, 5, 1, 2, 4, 4, 3, 5, 2, 1]);
const lampReviews = reviewsOf(lamp ?? '', [4, 4, 5]);
const foreignReviews = reviewsOf(foreign ?? '', [1]);

/** The newest reviews, as a selection of ids. */
const newest = (reviews: readonly NewReview[], first: number) =>
  reviews
    .toReversed()
    .slice(0, first)
    .map(({ id }) => ({ id }));

/** The keys of products. */
const products = (...ids: (string | undefined)[]) => ids.map((id) => ({ id }));

describe('The reviews subgraph:', () => {
  const reviews = useStarted(() =>
    startSubgraph({ createApp, migrations: new URL('../migrations/', import.meta.url) }),
  );
  beforeAll(async () => {
    const store = createReviewStore(reviews.database);
    await store.insertMany('acme', [...lampReviews, ...kettleReviews]);
    await store.insertMany('globex', foreignReviews);
  });

  describe('Product.reviews', () => {
    it('shows the ten newest reviews of each product, newest first, with one statement', async () => {
      const keys = products(lamp, unreviewed, foreign, kettle, 'p1');
      const { response, statements } = await reviews.counting(() =>
        reviews.entities('Product', keys, '{ reviews { id } }'),
      );
      expect(response).toEqual({
        data: {
          _entities: [
            { reviews: newest(lampReviews, 3) },
            { reviews: [] },
            { reviews: [] },
            { reviews: newest(kettleReviews, 10) },
            { reviews: [] },
          ],
        },
      });
      expect(statements).toBe(1);
    });

    it('reads several pages of one product with one statement', async () => {
      const pages =
        '{ two: reviews(first: 2) { id } none: reviews(first: 0) { id } all: reviews(first: 100) { id } }';
      const { response, statements } = await reviews.counting(() =>
        reviews.entities('Product', products(kettle, lamp), pages),
      );
      expect(response).toEqual({
        data: {
          _entities: [kettleReviews, lampReviews].map((of) => ({
            two: newest(of, 2),
            none: [],
            all: newest(of, 100),
          })),
        },
      });
      expect(statements).toBe(1);
    });

    it.each([-1, 101])('refuses a page of %i', async (first) => {
      const { errors } = await reviews.entities(
        'Product',
        products(kettle),
        `{ reviews(first: ${first}) { id } }`,
      );
      expect(errors).toMatchObject([{ extensions: { code: 'PAGE_SIZE_LIMIT' } }]);
    });

    it('shows all fields of a review, the product and the author as keys', async () => {
      const [review] = lampReviews;
      const fields = '{ reviews { id rating body product { id } author { id } } }';
      const { data } = await reviews.entities('Product', products(lamp), fields);
      expect(data).toMatchObject({
        _entities: [
          {
            reviews: expect.arrayContaining([
              {
                id: review?.id,
                rating: review?.rating,
                body: review?.body,
                product: { id: lamp },
                author: { id: review?.authorId },
              },
            ]),
          },
        ],
      });
    });

    it('stays within the tenant', async () => {
      const { data } = await reviews.entities('Product', products(kettle, foreign), '{ reviews { id } }', {
        tenant: 'globex',
      });
      expect(data).toEqual({ _entities: [{ reviews: [] }, { reviews: newest(foreignReviews, 1) }] });
    });
  });

  it.each(['reviews', 'product_ratings'])(
    "%s uses statements that show no other tenant's rows even without a tenant condition",
    async (table) => {
      expect(await reviews.tenantsSeenIn(table)).toEqual([]);
      expect(await reviews.tenantsSeenIn(table, 'acme')).toEqual(['acme']);
      expect(await reviews.tenantsSeenIn(table, 'globex')).toEqual(['globex']);
    },
  );

  it('Product.averageRating is the mean of all ratings, null without any, read with one statement', async () => {
    const { response, statements } = await reviews.counting(() =>
      reviews.entities('Product', products(kettle, unreviewed, lamp, foreign), '{ averageRating }'),
    );
    expect(response.data?.['_entities']).toEqual([
      { averageRating: 39 / 12 },
      { averageRating: null },
      { averageRating: 13 / 3 },
      { averageRating: null },
    ]);
    expect(statements).toBe(1);
  });

  it('_entities answers reviews in the order of the representations, with null for a missing one', async () => {
    const [a, b] = kettleReviews;
    const keys = products(b?.id, foreignReviews[0]?.id, a?.id, 'r1');
    expect(await reviews.entities('Review', keys, '{ id }')).toEqual({
      data: { _entities: [{ id: b?.id }, null, { id: a?.id }, null] },
    });
  });

  describe('Mutation.addReview', () => {
    const document = `mutation AddReview($productId: ID!, $rating: Int!, $body: String!) {
      addReview(productId: $productId, rating: $rating, body: $body) { id rating body product { id } author { id } }
    }`;

    it('adds the caller’s review, which is the newest at once', async () => {
      const productId = createIdentifier();
      await reviews.ask(document, { productId, rating: 3, body: 'the first' });
      const { data } = await reviews.ask(document, { productId, rating: 5, body: "O'Neill \\ 👍" });
      const added = data?.['addReview'];
      expect(added).toMatchObject({
        rating: 5,
        body: "O'Neill \\ 👍",
        product: { id: productId },
        author: { id: userIdOf({ tenantId: 'acme', issuer: 'http://meridian.localhost', subject: 'alice' }) },
      });
      const fields = '{ reviews { id rating body product { id } author { id } } }';
      expect(await reviews.entities('Product', [{ id: productId }], fields)).toMatchObject({
        data: { _entities: [{ reviews: [added, { rating: 3 }] }] },
      });
    });

    it('changes the average rating and the reviews at once, also within one request', async () => {
      const productId = createIdentifier();
      const add = (rating: number) =>
        `addReview(productId: "${productId}", rating: ${rating}, body: "fine") {
          product { averageRating reviews { rating } }
        }`;
      expect(await reviews.ask(`mutation Twice { a: ${add(1)} b: ${add(2)} }`)).toEqual({
        data: {
          a: { product: { averageRating: 1, reviews: [{ rating: 1 }] } },
          b: { product: { averageRating: 1.5, reviews: [{ rating: 2 }, { rating: 1 }] } },
        },
      });
    });

    it('changes the average rating at once, also with many concurrent writers', async () => {
      const productId = createIdentifier();
      const ratings = Array.from({ length: 30 }, (_, index) => (index % 5) + 1);
      await Promise.all(
        ratings.map((rating) => reviews.ask(document, { productId, rating, body: 'at once' })),
      );
      expect(await reviews.entities('Product', [{ id: productId }], '{ averageRating }')).toEqual({
        data: { _entities: [{ averageRating: 3 }] },
      });
    });

    it('changes no other tenant’s average', async () => {
      await reviews.ask(document, { productId: foreign, rating: 5, body: 'not of this tenant' });
      const who = { tenant: 'globex' };
      expect(
        await reviews.entities('Product', products(foreign), '{ averageRating reviews { rating } }', who),
      ).toEqual({
        data: { _entities: [{ averageRating: 1, reviews: [{ rating: 1 }] }] },
      });
    });

    it.each([
      ['a rating of 0', { rating: 0 }],
      ['a rating of 6', { rating: 6 }],
      ['a blank body', { body: ' ' }],
      ['a body of 10 001 characters', { body: 'x'.repeat(10_001) }],
      ['a body with U+0000', { body: 'a\0b' }],
      ['a product whose identifier is malformed', { productId: 'p1' }],
    ])('refuses %s, and adds nothing', async (_what, difference) => {
      const productId = createIdentifier();
      const { data, errors } = await reviews.ask(document, {
        productId,
        rating: 5,
        body: 'fine',
        ...difference,
      });
      expect(data).toEqual({ addReview: null });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(await reviews.entities('Product', [{ id: productId }], '{ averageRating }')).toMatchObject({
        data: { _entities: [{ averageRating: null }] },
      });
    });

    it('logs the review with its author, once; a refused one is not logged', async () => {
      const productId = createIdentifier();
      await reviews.ask(document, { productId, rating: 4, body: 'bright' }, { subject: 'bob' });
      await reviews.ask(document, { productId, rating: 6, body: 'bright' });
      const [period, type] = [Math.floor(Date.now() / 864_000_000), 'review.added'];
      const { events } = await createEventStore(reviews.database).list(
        'acme',
        { after: { position: 0n, period }, limit: 100, type },
        AbortSignal.timeout(10_000),
      );
      const logged = events.filter(({ subject }) => subject.startsWith(`/products/${productId}/`));
      expect(logged).toMatchObject([{ type, actor: { subject: 'bob' } }]);
      const data: unknown = JSON.parse(logged[0]?.data ?? '');
      expect(data).toMatchObject({ product_id: productId, rating: 4, body: 'bright' });
    });

    it('needs the scope reviews:write', async () => {
      const variables = { productId: kettle, rating: 5, body: 'fine' };
      const { data, errors } = await reviews.ask(document, variables, { scopes: ['products:write'] });
      expect(data).toEqual({ addReview: null });
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }]);
    });
  });

  it('the process logs at its start that reviewed products are not looked up', () => {
    expect(reviews.logLines.filter((line) => line.includes('PRODUCTS_URL is not set'))).toHaveLength(1);
  });

  it('the store counts a review once, however often it is inserted', async () => {
    const productId = createIdentifier();
    const store = createReviewStore(reviews.database);
    const added = reviewsOf(productId, [5, 3]);
    await store.insertMany('acme', added);
    await store.insertMany('acme', [...added, ...reviewsOf(productId, [1])]);
    expect(await reviews.entities('Product', [{ id: productId }], '{ averageRating }')).toEqual({
      data: { _entities: [{ averageRating: 3 }] },
    });
  });
});
