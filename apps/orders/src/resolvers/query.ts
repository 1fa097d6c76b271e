import type { Context } from '../loaders/loaders.ts';
import type { OrderStore } from '../store/order-store.ts';

/** The page of a client that names no size, or null. */
const defaultPageSize = 20;

export const createQuery = (orders: OrderStore) => ({
  order: (_query: unknown, { id }: { id: string }, { loaders }: Context) => loaders.orderById.load(id),

  orders: (_query: unknown, { first }: { first?: number | null }, { caller, signal }: Context) =>
    orders.findNewest(caller.tenantId, first ?? defaultPageSize, signal),
});
