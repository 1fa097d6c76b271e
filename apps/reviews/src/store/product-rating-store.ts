import type { Database } from '@meridian/database';
import { identifiersAmong } from '@meridian/subgraph';

import type { ProductRating } from '../reviews/product-rating.ts';

/** The ratings of products in PostgreSQL, one tenant's at a time. The store of reviews keeps them up to date. */
export function createProductRatingStore(database: Database) {
  const { knex } = database;

  return {
    /** The ratings of these products, in no particular order; none for a product without a rating. */
    findMany: (
      tenantId: string,
      productIds: readonly string[],
      signal: AbortSignal,
    ): Promise<ProductRating[]> => {
      const query = knex('product_ratings')
        .select({ productId: 'product_id' })
        .select({ average: knex.raw('rating_sum::float8 / review_count') })
        .where({ tenant_id: tenantId })
        .whereRaw('product_id = any (?::uuid[])', [identifiersAmong(productIds)]);
      return database.asTenant(tenantId, query, { signal });
    },
  };
}
