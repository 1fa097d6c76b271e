import type { Database } from '@meridian/database';
import { identifiersAmong } from '@meridian/subgraph';

import type { ProductRating } from '../reviews/product-rating.ts';

/** The ratings of products in PostgreSQL, one tenant's at a time. The store of reviews keeps them. */
export interface ProductRatingStore {
  /** The ratings of these products, in no particular order; none for a product without a rating. */
  readonly findMany: (
    tenantId: string,
    productIds: readonly string[],
    signal: AbortSignal,
  ) => Promise<ProductRating[]>;
}

export function createProductRatingStore(database: Database): ProductRatingStore {
  const { knex } = database;

  return {
    findMany(tenantId, productIds, signal) {
      const query = knex('product_ratings')
        .select({ productId: 'product_id' })
        .select({ average: knex.raw('rating_sum::float8 / review_count') })
        .where({ tenant_id: tenantId })
        .whereRaw('product_id = any (?::uuid[])', [identifiersAmong(productIds)]);
      return database.asTenant(tenantId, query, { signal });
    },
  };
}

/**
 * The end of a statement that has added the reviews that it calls `added`: counts them. Ratings are locked in order, so that
 * writers never deadlock.
 */
export const countAdded = `
  insert into product_ratings as known (tenant_id, product_id, review_count, rating_sum)
  select tenant_id, product_id, count(*), sum(rating) from added
  group by tenant_id, product_id order by product_id
  on conflict (tenant_id, product_id) do update
  set review_count = known.review_count + excluded.review_count,
    rating_sum = known.rating_sum + excluded.rating_sum`;
