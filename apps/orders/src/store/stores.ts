import type { Database } from '@meridian/database';

import { createCancellationStore } from './cancellation-store.ts';
import { createCustomerStore } from './customer-store.ts';
import { createLineItemStore } from './line-item-store.ts';
import { createOrderStore } from './order-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  cancellations: createCancellationStore(database),
  customers: createCustomerStore(database),
  lineItems: createLineItemStore(database),
  orders: createOrderStore(database),
});
