import type { Database } from '@meridian/database';
import { identifiersAmong } from '@meridian/subgraph';

/** What the ratings of a product come to. */
export interface ProductRating {
  readonly productId: string;
  /** The mean of all ratings, from 1 to 5. */
  readonly average: number;
}

/** The ratings of products in PostgreSQL, one tenant's at a time. The store of reviews keeps them. */
export interface ProductRatingStore {
  /** The ratings of those of these products that have any, in no particular order. */
  findMany(tenantId: string, productIds: readonly string[], signal: AbortSignal): Promise<ProductRating[]>;
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
