// Fills a tenant of any size. May run again, also after an interruption: existing rows stay as they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { generatedProducts } from '@meridian/demo-data';
import { readGenerateConfig, runGenerator } from '@meridian/subgraph';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

await runGenerator(config, [
  {
    total: size.products,
    batchOf: (range) => ({
      tables: [
        {
          table: 'products',
          columns: ['tenant_id', 'id', 'name', 'price_minor_units', 'weight_grams', 'units_sold'],
          rows: generatedProducts(tenantId, range).map((product) => [
            tenantId,
            product.id,
            product.name,
            product.priceMinorUnits,
            product.weightGrams,
            product.unitsSold,
          ]),
        },
      ],
    }),
  },
]);
