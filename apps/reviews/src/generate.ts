// Fills a tenant of any size. May run again, also after an interruption: existing rows stay as they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { generatedReviews } from '@meridian/demo-data';
import { readGenerateConfig, runGenerator, userIdOf } from '@meridian/subgraph';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

const columns = ['tenant_id', 'id', 'product_id', 'author_id', 'rating', 'body', 'created_at'];

/**
 * The end of the statement that adds the reviews in `added`. Counts them, in the order in which the service locks
 * ratings.
 */
const countAdded = `
  insert into product_ratings as known (tenant_id, product_id, review_count, rating_sum)
  select tenant_id, product_id, count(*), sum(rating) from added
  group by tenant_id, product_id order by product_id
  on conflict (tenant_id, product_id) do update
  set review_count = known.review_count + excluded.review_count,
    rating_sum = known.rating_sum + excluded.rating_sum`;

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
