import type { Context } from '../loaders/loaders.ts';

/** Everything that this subgraph knows of a product. */
export interface ProductKey {
  readonly id: string;
}

export const Product = {
  // Only the products subgraph knows whether the product exists.
  __resolveReference: ({ id }: ProductKey): ProductKey => ({ id }),

  reviews: ({ id }: ProductKey, { first }: { first: number }, { loaders }: Context) =>
    loaders.reviewsByProduct.load({ productId: id, first }),

  averageRating: async ({ id }: ProductKey, _arguments: unknown, { loaders }: Context) =>
    (await loaders.ratingByProduct.load(id))?.average ?? null,
};
