import { createTenantLoader, listsInKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { LineItemStore, Recommendation } from '../store/line-item-store.ts';

export function recommendationsByOrder(
  lineItems: LineItemStore,
  scope: TenantScope,
): TenantLoader<string, Recommendation[]> {
  return createTenantLoader('recommendationsByOrder', scope, async (tenantId, orderIds, signal) =>
    listsInKeyOrder(
      orderIds,
      await lineItems.findOrderedTogether(tenantId, orderIds, signal),
      (recommendation) => recommendation.orderId,
    ),
  );
}
