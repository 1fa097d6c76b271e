import type { Database } from '@meridian/database';

import { createUserStore } from './user-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  users: createUserStore(database),
});
