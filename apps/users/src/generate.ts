// Fills a tenant of any size. May run again, also after it broke off: what is there stays as it is.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { generatedPeople, generatedUsers } from '@meridian/demo-data';
import { rangeBatches, readGenerateConfig, runSeed, userIdOf } from '@meridian/subgraph';

import { createUserStore } from './store/users.ts';

const { tenantId, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

await runSeed(config, (database) => {
  const users = createUserStore(database);
  return rangeBatches(generatedPeople, (range) => {
    const rows = generatedUsers(range).map(({ subject, name }) => ({
      id: userIdOf({ tenantId, issuer: config.issuer, subject }),
      name,
      subject,
    }));
    return users.insertMany(tenantId, rows);
  });
});
