import type { Context } from '../loaders/loaders.ts';

/** All that is known here of a product. */
export interface ProductKey {
  readonly id: string;
}

export const Product = {
  // Only its own subgraph knows whether the product exists.
  __resolveReference: ({ id }: ProductKey): ProductKey => ({ id }),

  spareParts: ({ id }: ProductKey, { first }: { first: number }, { loaders }: Context) =>
    loaders.sparePartsByProduct.load({ productId: id, first }),
};
