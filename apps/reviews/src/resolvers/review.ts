import type { Context } from '../loaders/loaders.ts';
import type { Review as StoredReview } from '../reviews/review.ts';

export const Review = {
  __resolveReference: ({ id }: { id: string }, { loaders }: Context) => loaders.reviewById.load(id),

  product: ({ productId }: StoredReview) => ({ id: productId }),

  author: ({ authorId }: StoredReview) => ({ id: authorId }),
};
