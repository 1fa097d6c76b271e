import type { Database } from '@meridian/database';
import type { Actor } from '@meridian/events';
import { identifiersAmong, isIdentifier } from '@meridian/subgraph';

import type { NewReview, Review, ReviewPage } from '../reviews/review.ts';

/** Reviews in PostgreSQL, one tenant's at a time. */
export function createReviewStore(database: Database) {
  const { knex } = database;
  const columns = {
    id: 'id',
    productId: 'product_id',
    authorId: 'author_id',
    rating: 'rating',
    body: 'body',
  };

  return {
    /** The reviews that exist among these identifiers, in no particular order. */
    findMany: (tenantId: string, ids: readonly string[], signal: AbortSignal): Promise<Review[]> => {
      const query = knex('reviews')
        .select(columns)
        .where({ tenant_id: tenantId })
        .whereRaw('id = any (?::uuid[])', [identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal });
    },

    /** The reviews on each of these pages, newest first: one list for each page, in the order of the pages. */
    findPages: async (
      tenantId: string,
      pages: readonly ReviewPage[],
      signal: AbortSignal,
    ): Promise<Review[][]> => {
      const rows = await database.asTenant<Review & { page: number }>(
        tenantId,
        knex.raw(reviewsOnPages, [JSON.stringify(storable(pages)), tenantId]),
        { signal, readOnly: true },
      );
      const reviewsByPage = Map.groupBy(rows, (row) => row.page);
      return pages.map((_, page) => reviewsByPage.get(page) ?? []);
    },

    /**
     * Adds reviews, and counts them in their products' ratings. Existing ones stay as they are, and are not counted
     * again.
     *
     * @param by absent for demo data
     */
    async insertMany(
      tenantId: string,
      reviews: readonly NewReview[],
      by?: { readonly actor: Actor; readonly signal: AbortSignal },
    ): Promise<void> {
      const { issuer, subject } = by?.actor ?? { issuer: null, subject: null };
      await database.query(
        'select add_reviews($1, $2, $3, $4)',
        [tenantId, JSON.stringify(reviews), issuer, subject],
        { tenantId, signal: by?.signal },
      );
    },
  };
}

/** The pages with their places, without those whose product cannot exist. */
function storable(pages: readonly ReviewPage[]) {
  return pages
    .map(({ productId, first }, page) => ({ page, product_id: productId, first }))
    .filter((wanted) => isIdentifier(wanted.product_id));
}

/**
 * One statement for any number of products. For each page PostgreSQL reads `first` entries of the index, and no more.
 */
const reviewsOnPages = `
  select wanted.page, found.*
  from jsonb_to_recordset(?::jsonb) as wanted (page integer, product_id uuid, first integer)
  cross join lateral (
    select id, product_id as "productId", author_id as "authorId", rating, body, created_at
    from reviews
    where tenant_id = ? and product_id = wanted.product_id
    order by created_at desc, id desc
    limit wanted.first
  ) found
  order by wanted.page, found.created_at desc, found.id desc`;
