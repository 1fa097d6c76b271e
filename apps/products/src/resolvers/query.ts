import type { Context } from '../loaders/loaders.ts';
import type { ProductStore } from '../store/product-store.ts';

export const createQuery = (products: ProductStore) => ({
  product: (_query: unknown, { id }: { id: string }, { loaders }: Context) => loaders.productById.load(id),

  topProducts: (_query: unknown, { first }: { first: number }, { caller, signal }: Context) =>
    products.findBestSelling(caller.tenantId, first, signal),
});
