// Puts the demo products into the database that DATABASE_URL names. May run again: existing rows stay as they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { demoProducts, demoTenantIds } from '@meridian/demo-data';
import { readSeedConfig, runSeed, seedBatches } from '@meridian/subgraph';

import { createStores } from './store/stores.ts';

const config = exitOnBadEnvironment(() => readSeedConfig(process.env));

await runSeed(config, (database) => {
  const { products } = createStores(database);
  return demoTenantIds.flatMap((tenantId) =>
    seedBatches(demoProducts(tenantId), (rows) => products.insertMany(tenantId, rows)),
  );
});
