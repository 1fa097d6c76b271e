import type { Context } from '../loaders/loaders.ts';
import type { Stores } from '../store/stores.ts';

export const createQuery = ({ products }: Stores) => ({
  product: (_query: unknown, { id }: { id: string }, { loaders }: Context) => loaders.productById.load(id),

  topProducts: (_query: unknown, { first }: { first: number }, { caller, signal }: Context) =>
    products.findBestSelling(caller.tenantId, first, signal),
});
