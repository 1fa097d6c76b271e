// Puts the demo customers and orders into the database that DATABASE_URL names. May run again: existing rows stay as
// they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { demoCustomers, demoOrders, demoTenantIds } from '@meridian/demo-data';
import { readSeedConfig, runSeed, seedBatches } from '@meridian/subgraph';

import { createStores } from './store/stores.ts';

const config = exitOnBadEnvironment(() => readSeedConfig(process.env));

await runSeed(config, (database) => {
  const { customers, orders } = createStores(database);
  return demoTenantIds.flatMap((tenantId) =>
    seedBatches(demoCustomers(tenantId), (rows) => customers.insertMany(tenantId, rows)).concat(
      seedBatches(demoOrders(tenantId), (rows) => orders.insertMany(tenantId, rows)),
    ),
  );
});
