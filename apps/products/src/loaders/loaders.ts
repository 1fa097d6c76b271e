import type { SubgraphContext } from '@meridian/subgraph';
import type { TenantScope } from '@meridian/tenant-loaders';

import type { ProductStore } from '../store/product-store.ts';
import { productById } from './product-by-id.ts';

/** Makes the loaders of one request. */
export const createLoaders = (products: ProductStore) => (scope: TenantScope) => ({
  productById: productById(products, scope),
});

export type Context = SubgraphContext<ReturnType<ReturnType<typeof createLoaders>>>;
