import type { FollowLog, LoggedEvent } from '@meridian/events';
import { checkIdentifier } from '@meridian/subgraph';
import type { SubscriptionEvents } from '@meridian/subgraph';

import type { Context } from '../loaders/loaders.ts';
import type { Review } from '../reviews/review.ts';

export const createSubscription = (followLog: FollowLog) => ({
  reviewAdded: {
    async subscribe(
      _subscription: unknown,
      { productId }: { productId: string },
      { caller, resumeAfter, signal }: Context,
    ): Promise<SubscriptionEvents<Review>> {
      checkIdentifier('productId', productId);
      const subjects = `/products/${productId}/`;
      return await followLog(
        caller.tenantId,
        { type: 'review.added' },
        {
          resumeAfter,
          signal,
          valueOf: (event) => (event.subject.startsWith(subjects) ? reviewIn(event) : undefined),
        },
      );
    },
  },
});

/** `data` of `review.added`: migrations/0003-events.sql. */
interface AddedReview {
  readonly id: string;
  readonly product_id: string;
  readonly author_id: string;
  readonly rating: number;
  readonly body: string;
}

function reviewIn({ data }: LoggedEvent): Review {
  const { id, product_id: productId, author_id: authorId, rating, body }: AddedReview = JSON.parse(data);
  return { id, productId, authorId, rating, body };
}
