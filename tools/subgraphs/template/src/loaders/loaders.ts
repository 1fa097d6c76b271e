import type { SubgraphContext } from '@meridian/subgraph';
// <entity>
import { createTenantLoader } from '@meridian/tenant-loaders';
// </entity>
import { loaderById } from '@meridian/tenant-loaders';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { Stores } from '../store/stores.ts';

/** Makes the loaders of one request. */
export const createLoaders =
  ({ spareParts }: Stores) =>
  (scope: TenantScope) => ({
    sparePartById: loaderById('sparePartById', scope, spareParts.findMany),
    // <entity>
    // Each product may be asked for with its own `first`, and with several: all of them are one batch.
    sparePartsByProduct: createTenantLoader('sparePartsByProduct', scope, spareParts.findPages, {
      cacheKeyOf: ({ productId, first }) => `${first} ${productId}`,
    }),
    // </entity>
  });

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
