import { createTenantLoader, listsInKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { LineItem, LineItemStore } from '../store/line-item-store.ts';

export function lineItemsByOrder(
  lineItems: LineItemStore,
  scope: TenantScope,
): TenantLoader<string, LineItem[]> {
  return createTenantLoader('lineItemsByOrder', scope, async (tenantId, orderIds, signal) =>
    listsInKeyOrder(
      orderIds,
      await lineItems.findByOrders(tenantId, orderIds, signal),
      (item) => item.orderId,
    ),
  );
}
