import { createTenantLoader, inKeyOrder } from '@meridian/tenant-loaders';
import type { TenantLoader, TenantScope } from '@meridian/tenant-loaders';

import type { Product, ProductStore } from '../store/product-store.ts';

export function productById(products: ProductStore, scope: TenantScope): TenantLoader<string, Product> {
  return createTenantLoader('productById', scope, async (tenantId, ids, signal) =>
    inKeyOrder(ids, await products.findMany(tenantId, ids, signal), (product) => product.id),
  );
}
