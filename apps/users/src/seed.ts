// Puts the demo users into the database that DATABASE_URL names. May run again: existing rows stay as they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { demoTenantIds, demoUsers } from '@meridian/demo-data';
import { readSeedConfig, runSeed, seedBatches, userIdOf } from '@meridian/subgraph';

import { createStores } from './store/stores.ts';

const config = exitOnBadEnvironment(() => readSeedConfig(process.env));

await runSeed(config, (database) => {
  const { users } = createStores(database);
  return demoTenantIds.flatMap((tenantId) => {
    const rows = demoUsers().map(({ subject, name }) => ({
      id: userIdOf({ tenantId, issuer: config.issuer, subject }),
      name,
      subject,
    }));
    return seedBatches(rows, (batch) => users.insertMany(tenantId, batch));
  });
});
