import { createTenantLoader, inKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { Review, ReviewStore } from '../store/review-store.ts';

export function reviewById(reviews: ReviewStore, scope: TenantScope): TenantLoader<string, Review> {
  return createTenantLoader('reviewById', scope, async (tenantId, ids, signal) =>
    inKeyOrder(ids, await reviews.findMany(tenantId, ids, signal), (review) => review.id),
  );
}
