import { createTenantLoader, inKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { User, UserStore } from '../store/user-store.ts';

export function userById(users: UserStore, scope: TenantScope): TenantLoader<string, User> {
  return createTenantLoader('userById', scope, async (tenantId, ids, signal) =>
    inKeyOrder(ids, await users.findMany(tenantId, ids, signal), (user) => user.id),
  );
}
