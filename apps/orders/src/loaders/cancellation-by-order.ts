import { createTenantLoader, inKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { Cancellation, CancellationStore } from '../store/cancellation-store.ts';

export function cancellationByOrder(
  cancellations: CancellationStore,
  scope: TenantScope,
): TenantLoader<string, Cancellation> {
  return createTenantLoader('cancellationByOrder', scope, async (tenantId, orderIds, signal) =>
    inKeyOrder(
      orderIds,
      await cancellations.findByOrders(tenantId, orderIds, signal),
      (cancellation) => cancellation.orderId,
    ),
  );
}
