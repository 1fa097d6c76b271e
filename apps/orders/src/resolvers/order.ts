import type { Context } from '../loaders/loaders.ts';
import type { Order as StoredOrder } from '../store/orders.ts';

export const Order = {
  lineItems: ({ id }: StoredOrder, _arguments: unknown, { loaders }: Context) =>
    loaders.lineItemsByOrder.load(id),

  recommendations: async ({ id }: StoredOrder, _arguments: unknown, { loaders }: Context) => {
    const recommendations = await loaders.recommendationsByOrder.load(id);
    return recommendations?.map(({ productId }) => ({ id: productId }));
  },

  customer: ({ customerId }: StoredOrder, _arguments: unknown, { loaders }: Context) =>
    customerId === null ? null : loaders.customerById.load(customerId),
};
