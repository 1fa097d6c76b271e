// Fills a tenant of any size. May run again, also after it broke off: what is there stays as it is.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { generatedIdentifier } from '@meridian/demo-data';
import { readGenerateConfig, runGenerator } from '@meridian/subgraph';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

await runGenerator(config, [
  {
    total: size.products,
    batchOf: ({ from, to }) => ({
      tables: [
        {
          table: 'spare_parts',
          columns: [
            'tenant_id',
            'id',
            'name',
            // <entity>
            'product_id',
            // </entity>
          ],
          rows: Array.from({ length: to - from }, (_, index) => from + index).map((position) => [
            tenantId,
            generatedIdentifier(tenantId, 'sparePart', position),
            `Spare part ${position + 1}`,
            // <entity>
            generatedIdentifier(tenantId, 'product', position),
            // </entity>
          ]),
        },
      ],
    }),
  },
]);
