// Puts the demo spare parts into the database that DATABASE_URL names. May run again: what is there stays as it is.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { demoIdentifiers, demoTenantIds } from '@meridian/demo-data';
// <entity>
import { inTurn } from '@meridian/demo-data';
// </entity>
import { readSeedConfig, runSeed, seedBatches } from '@meridian/subgraph';

import { createStores } from './store/stores.ts';

const config = exitOnBadEnvironment(() => readSeedConfig(process.env));

await runSeed(config, (database) => {
  const { spareParts } = createStores(database);
  return demoTenantIds.flatMap((tenantId) => {
    // <entity>
    const productIds = demoIdentifiers(tenantId, 'product');
    // </entity>
    const rows = demoIdentifiers(tenantId, 'sparePart').map((id, position) => ({
      id,
      name: `Spare part ${position + 1}`,
      // <entity>
      productId: inTurn(productIds, position),
      // </entity>
    }));
    return seedBatches(rows, (batch) => spareParts.insertMany(tenantId, batch));
  });
});
