import { demoCustomers, demoOrders, demoTenantIds } from '@meridian/demo-data';
import { startSubgraph } from '@meridian/subgraph/test-support';
import type { StartedSubgraph } from '@meridian/subgraph/test-support';

import { createApp } from '../src/app.ts';
import type { AppDependencies } from '../src/app.ts';
import { createStores } from '../src/store/stores.ts';
import type { Stores } from '../src/store/stores.ts';

/** The orders service of one suite, with the demo data of both tenants. */
export interface StartedOrders extends StartedSubgraph {
  readonly stores: Stores;
}

/** @param change gives what the app is made from where it is to differ */
export async function startOrders(
  change: (dependencies: AppDependencies) => Partial<AppDependencies> = () => ({}),
): Promise<StartedOrders> {
  const started = await startSubgraph({
    createApp: (dependencies) => createApp({ ...dependencies, ...change(dependencies) }),
    migrations: new URL('../migrations/', import.meta.url),
  });
  const stores = createStores(started.database);
  for (const tenantId of demoTenantIds) {
    await stores.customers.insertMany(tenantId, demoCustomers(tenantId));
    await stores.orders.insertMany(tenantId, demoOrders(tenantId));
  }
  return { ...started, stores };
}
