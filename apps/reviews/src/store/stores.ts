import type { Database } from '@meridian/database';
import { createEventStore } from '@meridian/events';

import { createProductRatingStore } from './product-rating-store.ts';
import { createReviewStore } from './review-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  events: createEventStore(database),
  ratings: createProductRatingStore(database),
  reviews: createReviewStore(database),
});
