import type { DemoProduct } from '@meridian/demo-data';

import type { ExpectedReview } from './expected-responses.ts';
import type { Tenant } from './tenant.ts';

/**
 * The number of a tenant's products, best-selling first, that stay unchanged. Each of the others belongs to one client.
 */
const soldCount = 100;

/** The most clients that a tenant has products for; the streams have the last one. */
export const maxClientsOfTenant = 99;

/** The products that are only read. */
export function soldProducts({ products }: Tenant): readonly DemoProduct[] {
  return products.slice(0, soldCount);
}

/** True when the load leaves a product of the tenant unchanged. */
export function isSold(tenant: Tenant): (productId: string) => boolean {
  const ids = new Set(soldProducts(tenant).map(({ id }) => id));
  return (productId) => ids.has(productId);
}

/** The expected state of the product that a client changes. */
export interface Shelf {
  readonly product: DemoProduct;
  priceMinorUnits: number;
  /** Newest first. */
  reviews: readonly ExpectedReview[];
}

/**
 * @throws {RangeError} if the tenant has no product left for the client
 */
export function shelfOf(tenant: Tenant, clientIndex: number): Shelf {
  const product = tenant.products[soldCount + clientIndex];
  if (product === undefined) {
    throw new RangeError(`${tenant.id} has no product for client ${clientIndex}`);
  }
  return { product, priceMinorUnits: product.priceMinorUnits, reviews: tenant.reviewsOf(product.id) };
}
