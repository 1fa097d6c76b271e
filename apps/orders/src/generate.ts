// Fills a tenant of any size. May run again, also after it broke off: what is there stays as it is.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { generatedCustomers, generatedOrders, generatedPeople } from '@meridian/demo-data';
import { rangeBatches, readGenerateConfig, runSeed } from '@meridian/subgraph';

import { createStores } from './store/stores.ts';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

await runSeed(config, (database) => {
  const { customers, orders } = createStores(database);
  return rangeBatches(generatedPeople, (range) =>
    customers.insertMany(tenantId, generatedCustomers(tenantId, range)),
  ).concat(
    rangeBatches(size.orders, (range) => orders.insertMany(tenantId, generatedOrders(tenantId, range, size))),
  );
});
