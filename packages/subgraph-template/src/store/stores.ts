import type { Database } from '@meridian/database';

import { createSampleStore } from './sample-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  samples: createSampleStore(database),
});
