import type { Database } from '@meridian/database';

import { createCancellationStore } from './cancellations.ts';
import { createCustomerStore } from './customers.ts';
import { createLineItemStore } from './line-items.ts';
import { createOrderStore } from './orders.ts';

export type Stores = ReturnType<typeof createStores>;

/** The tables that this service reads and writes. */
export const createStores = (database: Database) => ({
  cancellations: createCancellationStore(database),
  customers: createCustomerStore(database),
  lineItems: createLineItemStore(database),
  orders: createOrderStore(database),
});
