import type { Statements } from '@meridian/rest';

import { createAccountStore } from './account-store.ts';
import { createTransferStore } from './transfer-store.ts';

/** The tables that this service reads and writes. */
export const createStores = (statements: Statements) => ({
  accounts: createAccountStore(statements),
  transfers: createTransferStore(statements),
});
