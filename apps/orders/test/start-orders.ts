import { demoCustomers, demoOrders, demoTenantIds } from '@meridian/demo-data';
import type { ServiceDependencies } from '@meridian/service';
import { type StartedSubgraph, startSubgraph } from '@meridian/subgraph/test-support';

import { createApp } from '../src/app.ts';
import { createStores, type Stores } from '../src/store/stores.ts';

/** The orders subgraph of one suite, with the demo data of both tenants. */
export interface StartedOrders extends StartedSubgraph {
  readonly stores: Stores;
}

/** @param wrap puts something between the app and its database */
export async function startOrders(
  wrap: (database: ServiceDependencies['database']) => ServiceDependencies['database'] = (database) =>
    database,
): Promise<StartedOrders> {
  const started = await startSubgraph({
    createApp: ({ database, ...hosting }) => createApp({ ...hosting, database: wrap(database) }),
    migrations: new URL('../migrations/', import.meta.url),
    serviceRole: 'meridian_orders',
  });
  const stores = createStores(started.database);
  for (const tenantId of demoTenantIds) {
    await stores.customers.insertMany(tenantId, demoCustomers(tenantId));
    await stores.orders.insertMany(tenantId, demoOrders(tenantId));
  }
  return { ...started, stores };
}
