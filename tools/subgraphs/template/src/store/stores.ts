import type { Database } from '@meridian/database';

import { createSparePartStore } from './spare-part-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  spareParts: createSparePartStore(database),
});
