import type { FollowLog, LoggedEvent } from '@meridian/events';
import type { ValueOf } from '@meridian/json';
import { checkIdentifier, clientError } from '@meridian/subgraph';
import type { SubscriptionEvents } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { orderSchema } from '../orders/order-schemas.ts';
import type { Order } from '../orders/order.ts';

export const createSubscription = (followLog: FollowLog) => ({
  orderChanged: {
    async subscribe(
      _subscription: unknown,
      { id }: { id: string },
      { caller, loaders, resumeAfter, signal }: Context,
    ): Promise<SubscriptionEvents<Order>> {
      checkIdentifier('id', id);
      if ((await loaders.orderById.load(id)) === null) {
        throw clientError('NOT_FOUND', 'There is no such order');
      }
      return await followLog(
        caller.tenantId,
        { subject: `/orders/${id}` },
        { resumeAfter, signal, valueOf: orderIn },
      );
    },
  },
});

/** The order after the change. */
function orderIn({ data }: LoggedEvent): Order {
  const order: ValueOf<typeof orderSchema> = JSON.parse(data);
  return { id: order.id, status: order.status, customerId: order.customer_id, createdAt: order.created_at };
}
