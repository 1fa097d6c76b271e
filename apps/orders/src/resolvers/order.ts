import type { Context } from '../loaders/loaders.ts';
import type { Order as StoredOrder } from '../orders/order.ts';

export const Order = {
  lineItems: ({ id }: StoredOrder, _arguments: unknown, { loaders }: Context) =>
    loaders.lineItemsByOrder.load(id),

  recommendations: async ({ id }: StoredOrder, _arguments: unknown, { loaders }: Context) => {
    const recommendations = await loaders.recommendationsByOrder.load(id);
    return recommendations?.map(({ productId }) => ({ id: productId }));
  },

  customer: ({ customerId }: StoredOrder, _arguments: unknown, { loaders }: Context) =>
    customerId === null ? null : loaders.customerById.load(customerId),

  cancellation: (order: StoredOrder, _arguments: unknown, { loaders }: Context) =>
    cancellationOf(order, loaders),

  cancellationReason: async (order: StoredOrder, _arguments: unknown, { loaders }: Context) =>
    (await cancellationOf(order, loaders))?.reason ?? null,
};

/** Only a cancelled order has a cancellation to look up. */
async function cancellationOf({ id, status }: StoredOrder, loaders: Context['loaders']) {
  return status === 'cancelled' ? loaders.cancellationByOrder.load(id) : null;
}
