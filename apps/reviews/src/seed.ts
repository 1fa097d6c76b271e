// Puts the demo reviews into the database that DATABASE_URL names. May run again: existing rows stay as they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { demoReviews, demoTenantIds } from '@meridian/demo-data';
import { readSeedConfig, runSeed, seedBatches, userIdOf } from '@meridian/subgraph';

import { createStores } from './store/stores.ts';

const config = exitOnBadEnvironment(() => readSeedConfig(process.env));

await runSeed(config, (database) => {
  const { reviews } = createStores(database);
  return demoTenantIds.flatMap((tenantId) => {
    const rows = demoReviews(tenantId).map((review) => ({
      id: review.id,
      productId: review.productId,
      authorId: userIdOf({ tenantId, issuer: config.issuer, subject: review.authorSubject }),
      rating: review.rating,
      body: review.body,
      createdAt: review.createdAt,
    }));
    return seedBatches(rows, (batch) => reviews.insertMany(tenantId, batch));
  });
});
