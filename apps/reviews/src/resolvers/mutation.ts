import { checkIdentifier, checkInteger, checkText, createIdentifier, userIdOf } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { ReviewStore } from '../store/reviews.ts';

export const createMutation = (reviews: ReviewStore) => ({
  addReview: async (
    _mutation: unknown,
    { productId, rating, body }: { productId: string; rating: number; body: string },
    { caller, signal }: Context,
  ) => {
    checkIdentifier('productId', productId);
    checkInteger('rating', rating, { least: 1, most: 5 });
    checkText('body', body, { maxLength: 10_000 });
    const review = { id: createIdentifier(), productId, authorId: userIdOf(caller), rating, body };
    await reviews.insertMany(caller.tenantId, [review], signal);
    return review;
  },
});
