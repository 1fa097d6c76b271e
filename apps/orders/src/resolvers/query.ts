import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

/** The page size where the client sends none, or null. */
const defaultPageSize = 20;

export const createQuery = ({ orders }: Stores) => ({
  order: (_query: unknown, { id }: { id: string }, { loaders }: Context) => loaders.orderById.load(id),

  orders: (_query: unknown, { first }: { first?: number | null }, { caller, signal }: Context) =>
    orders.findNewest(caller.tenantId, first ?? defaultPageSize, signal),
});
