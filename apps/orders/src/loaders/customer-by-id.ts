import { createTenantLoader, inKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { Customer, CustomerStore } from '../store/customer-store.ts';

export function customerById(customers: CustomerStore, scope: TenantScope): TenantLoader<string, Customer> {
  return createTenantLoader('customerById', scope, async (tenantId, ids, signal) =>
    inKeyOrder(ids, await customers.findMany(tenantId, ids, signal), (customer) => customer.id),
  );
}
