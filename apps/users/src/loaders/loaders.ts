import type { SubgraphContext } from '@meridian/subgraph';
import { loaderById } from '@meridian/tenant-loaders';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { Stores } from '../store/stores.ts';

/** Creates the loaders of one request. */
export const createLoaders =
  ({ users }: Stores) =>
  (scope: TenantScope) => ({
    userById: loaderById('userById', scope, users.findMany),
  });

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
