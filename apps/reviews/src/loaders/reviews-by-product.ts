import { createTenantLoader } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { Review, ReviewPage, ReviewStore } from '../store/review-store.ts';

/** Each product may be asked for with its own `first`, and with several: all of them are one batch. */
export function reviewsByProduct(
  reviews: ReviewStore,
  scope: TenantScope,
): TenantLoader<ReviewPage, Review[]> {
  return createTenantLoader(
    'reviewsByProduct',
    scope,
    (tenantId, pages, signal) => reviews.findPages(tenantId, pages, signal),
    { cacheKeyOf: ({ productId, first }) => `${first} ${productId}` },
  );
}
