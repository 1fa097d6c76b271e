import { createTenantLoader, inKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { Order, OrderStore } from '../store/order-store.ts';

export function orderById(orders: OrderStore, scope: TenantScope): TenantLoader<string, Order> {
  return createTenantLoader('orderById', scope, async (tenantId, ids, signal) =>
    inKeyOrder(ids, await orders.findMany(tenantId, ids, signal), (order) => order.id),
  );
}
