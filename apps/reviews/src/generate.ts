// Fills a tenant of any size. May run again, also after it broke off: what is there stays as it is.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { generatedReviews } from '@meridian/demo-data';
import { rangeBatches, readGenerateConfig, runSeed, userIdOf } from '@meridian/subgraph';

import { createReviewStore } from './store/reviews.ts';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

await runSeed(config, (database) => {
  const reviews = createReviewStore(database);
  return rangeBatches(size.reviews, (range) => {
    const rows = generatedReviews(tenantId, range, size).map((review) => ({
      id: review.id,
      productId: review.productId,
      authorId: userIdOf({ tenantId, issuer: config.issuer, subject: review.authorSubject }),
      rating: review.rating,
      body: review.body,
      createdAt: review.createdAt,
    }));
    return reviews.insertMany(tenantId, rows);
  });
});
