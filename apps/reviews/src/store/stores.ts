import type { Database } from '@meridian/database';

import { createProductRatingStore } from './product-rating-store.ts';
import { createReviewStore } from './review-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  ratings: createProductRatingStore(database),
  reviews: createReviewStore(database),
});
