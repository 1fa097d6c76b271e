// Fills a tenant of any size. May run again, also after an interruption: existing rows stay as they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { generatedPeople, generatedUsers } from '@meridian/demo-data';
import { readGenerateConfig, runGenerator, userIdOf } from '@meridian/subgraph';

const { tenantId, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

await runGenerator(config, [
  {
    total: generatedPeople,
    batchOf: (range) => ({
      tables: [
        {
          table: 'users',
          columns: ['tenant_id', 'id', 'name', 'subject'],
          rows: generatedUsers(range).map(({ subject, name }) => [
            tenantId,
            userIdOf({ tenantId, issuer: config.issuer, subject }),
            name,
            subject,
          ]),
        },
      ],
    }),
  },
]);
