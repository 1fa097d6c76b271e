import { createEventStore } from '@meridian/events';
import type { Statements } from '@meridian/rest';

import { createAccountStore } from './account-store.ts';
import { createHoldStore } from './hold-store.ts';
import { createLedgerStore } from './ledger-store.ts';
import { createTransferStore } from './transfer-store.ts';

/** The tables that this service reads and writes. */
export const createStores = (statements: Statements) => ({
  accounts: createAccountStore(statements),
  events: createEventStore(statements),
  holds: createHoldStore(statements),
  ledger: createLedgerStore(statements),
  transfers: createTransferStore(statements),
});
