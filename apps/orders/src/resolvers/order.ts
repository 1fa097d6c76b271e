import type { FieldResolvers } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Order as StoredOrder } from '../orders/order.ts';

export const Order = {
  lineItems: ({ id }, _arguments, { loaders }) => loaders.lineItemsByOrder.load(id),

  recommendations: async ({ id }, _arguments, { loaders }) => {
    const recommendations = await loaders.recommendationsByOrder.load(id);
    return recommendations?.map(({ productId }) => ({ id: productId }));
  },

  customer: ({ customerId }, _arguments, { loaders }) =>
    customerId === null ? null : loaders.customerById.load(customerId),

  cancellation: (order, _arguments, { loaders }) => cancellationOf(order, loaders),

  cancellationReason: async (order, _arguments, { loaders }) =>
    (await cancellationOf(order, loaders))?.reason ?? null,
} satisfies FieldResolvers<StoredOrder, Context>;

/** Only a cancelled order has a cancellation to look up. */
async function cancellationOf({ id, status }: StoredOrder, loaders: Context['loaders']) {
  return status === 'cancelled' ? loaders.cancellationByOrder.load(id) : null;
}
