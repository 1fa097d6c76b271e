import type { SubgraphContext } from '@meridian/subgraph';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { UserStore } from '../store/user-store.ts';
import { userById } from './user-by-id.ts';

/** Makes the loaders of one request. */
export const createLoaders = (users: UserStore) => (scope: TenantScope) => ({
  userById: userById(users, scope),
});

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
