import type { SubgraphContext } from '@meridian/subgraph';
import { createTenantLoader, loaderById, loaderByKey } from '@meridian/tenant-loaders';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { Stores } from '../store/stores.ts';

/** Makes the loaders of one request. */
export const createLoaders =
  ({ ratings, reviews }: Stores) =>
  (scope: TenantScope) => ({
    ratingByProduct: loaderByKey('ratingByProduct', scope, ratings.findMany, ({ productId }) => productId),
    reviewById: loaderById('reviewById', scope, reviews.findMany),
    // Each product may be asked for with its own `first`, and with several: all of them are one batch.
    reviewsByProduct: createTenantLoader('reviewsByProduct', scope, reviews.findPages, {
      cacheKeyOf: ({ productId, first }) => `${first} ${productId}`,
    }),
  });

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
