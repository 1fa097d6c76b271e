// Fills a tenant of any size. May run again, also after it broke off: what is there stays as it is.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/config';
import { generatedReviews } from '@meridian/demo-data';
import { readGenerateConfig, runGenerator, userIdOf } from '@meridian/subgraph';

import { countAdded } from './store/product-rating-store.ts';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

const columns = ['tenant_id', 'id', 'product_id', 'author_id', 'rating', 'body', 'created_at'];

await runGenerator(config, [
  {
    total: size.reviews,
    batchOf: (range) => ({
      tables: [
        {
          table: 'reviews',
          columns,
          rows: generatedReviews(tenantId, range, size).map((review) => [
            tenantId,
            review.id,
            review.productId,
            userIdOf({ tenantId, issuer: config.issuer, subject: review.authorSubject }),
            review.rating,
            review.body,
            review.createdAt,
          ]),
        },
      ],
      merge: `
        with added as (
          insert into reviews (${columns.join(', ')})
          select ${columns.join(', ')} from incoming_reviews
          on conflict do nothing
          returning tenant_id, product_id, rating
        )
        ${countAdded}`,
    }),
  },
]);
