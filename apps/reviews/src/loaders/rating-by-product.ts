import { createTenantLoader, inKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { ProductRating, ProductRatingStore } from '../store/product-rating-store.ts';

export function ratingByProduct(
  ratings: ProductRatingStore,
  scope: TenantScope,
): TenantLoader<string, ProductRating> {
  return createTenantLoader('ratingByProduct', scope, async (tenantId, productIds, signal) =>
    inKeyOrder(
      productIds,
      await ratings.findMany(tenantId, productIds, signal),
      (rating) => rating.productId,
    ),
  );
}
