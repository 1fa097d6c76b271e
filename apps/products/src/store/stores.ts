import type { Database } from '@meridian/database';

import { createProductStore } from './product-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  products: createProductStore(database),
});
