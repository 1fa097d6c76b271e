import type { SubgraphContext } from '@meridian/subgraph';
import { loaderById } from '@meridian/tenant-loaders';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { Stores } from '../store/stores.ts';

/** Creates the loaders of one request. */
export const createLoaders =
  ({ products }: Stores) =>
  (scope: TenantScope) => ({
    productById: loaderById('productById', scope, products.findMany),
  });

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
