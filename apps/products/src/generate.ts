// Fills a tenant of any size. May run again, also after it broke off: what is there stays as it is.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { generatedProducts } from '@meridian/demo-data';
import { rangeBatches, readGenerateConfig, runSeed } from '@meridian/subgraph';

import { createProductStore } from './store/products.ts';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

await runSeed(config, (database) => {
  const products = createProductStore(database);
  return rangeBatches(size.products, (range) =>
    products.insertMany(tenantId, generatedProducts(tenantId, range)),
  );
});
