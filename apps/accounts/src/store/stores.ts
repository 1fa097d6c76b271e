import type { Database } from '@meridian/database';

import { createAccountStore } from './account-store.ts';
import { createHoldStore } from './hold-store.ts';
import { createLedgerStore } from './ledger-store.ts';
import { createTransferStore } from './transfer-store.ts';

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  accounts: createAccountStore(database),
  holds: createHoldStore(database),
  ledger: createLedgerStore(database),
  transfers: createTransferStore(database),
});
