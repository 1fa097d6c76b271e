import type { SubgraphContext } from '@meridian/subgraph';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { ProductRatingStore } from '../store/product-rating-store.ts';
import type { ReviewStore } from '../store/review-store.ts';
import { ratingByProduct } from './rating-by-product.ts';
import { reviewById } from './review-by-id.ts';
import { reviewsByProduct } from './reviews-by-product.ts';

/** Makes the loaders of one request. */
export const createLoaders = (reviews: ReviewStore, ratings: ProductRatingStore) => (scope: TenantScope) => ({
  ratingByProduct: ratingByProduct(ratings, scope),
  reviewById: reviewById(reviews, scope),
  reviewsByProduct: reviewsByProduct(reviews, scope),
});

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
