import type { SubgraphContext } from '@meridian/subgraph';
import { createTenantLoader, loaderById, loaderByKey } from '@meridian/tenant-loaders';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { Stores } from '../store/stores.ts';

/** Creates the loaders of one request. */
export const createLoaders =
  ({ ratings, reviews }: Stores) =>
  (scope: TenantScope) => ({
    ratingByProduct: loaderByKey('ratingByProduct', scope, ratings.findMany, ({ productId }) => productId),
    reviewById: loaderById('reviewById', scope, reviews.findMany),
    // An operation may select each product's reviews with different values of `first`: all pages are one batch.
    reviewsByProduct: createTenantLoader('reviewsByProduct', scope, reviews.findPages, {
      cacheKeyOf: ({ productId, first }) => `${first} ${productId}`,
    }),
  });

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
