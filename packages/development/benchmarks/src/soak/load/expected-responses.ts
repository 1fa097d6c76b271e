import type { DemoOrder, DemoProduct, DemoReview } from '@meridian/demo-data';

import type { Expected } from './difference.ts';
import type { Tenant } from './tenant.ts';

/** A product as `TopProducts` and `ProductDetails` select it. */
export function expectedProduct(
  tenant: Tenant,
  { id, name, priceMinorUnits }: Pick<DemoProduct, 'id' | 'name' | 'priceMinorUnits'>,
  reviewsFirst: number,
  reviews: readonly ExpectedReview[] = tenant.reviewsOf(id),
): Expected {
  return {
    id,
    name,
    priceMinorUnits,
    averageRating: meanRating(reviews),
    reviews: reviews.slice(0, reviewsFirst).map((review) => expectedReview(tenant, review)),
  };
}

export type ExpectedReview = Pick<DemoReview, 'id' | 'rating' | 'body' | 'authorSubject'>;

/** PostgreSQL divides as IEEE 754 says, and so does this: the mean is exactly the same. */
export function meanRating(reviews: readonly Pick<DemoReview, 'rating'>[]): number | null {
  return reviews.length === 0 ? null : reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length;
}

function expectedReview(tenant: Tenant, { id, rating, body, authorSubject }: ExpectedReview): Expected {
  return { id, rating, body, author: { id: isUuid, name: tenant.nameOfUser(authorSubject) } };
}

/** An order of the demo data as `OrderDetails` selects it. */
export function expectedOrder(tenant: Tenant, order: DemoOrder): Expected {
  return {
    id: order.id,
    status: order.status.toUpperCase(),
    createdAt: (actual: unknown) => Date.parse(String(actual)) === Date.parse(order.createdAt),
    customer: expectedCustomer(tenant, order.customerId),
    lineItems: order.lineItems.map(({ productId, quantity, unitPriceMinorUnits }) => ({
      quantity,
      unitPriceMinorUnits,
      product: { id: productId, name: tenant.product(productId)?.name ?? null },
    })),
    recommendations: isRecommendations(tenant),
  };
}

/** The same order as `OrderReviews` selects it. Only the client that changes a product knows its new values. */
export function expectedOrderReviews(tenant: Tenant, order: DemoOrder, isFixed: IsFixed): Expected {
  return {
    id: order.id,
    lineItems: order.lineItems.map(({ productId, quantity }) => {
      const reviews = tenant.reviewsOf(productId);
      return {
        quantity,
        product: {
          id: productId,
          name: tenant.product(productId)?.name ?? null,
          averageRating: isFixed(productId) ? meanRating(reviews) : isRating,
          reviews: isFixed(productId)
            ? reviews.slice(0, 3).map((review) => expectedReview(tenant, review))
            : Array.isArray,
        },
      };
    }),
  };
}

/** True if the load leaves a product unchanged. */
export type IsFixed = (productId: string) => boolean;

function expectedCustomer(tenant: Tenant, id: string | null): Expected {
  return id === null ? null : { id, name: tenant.nameOfCustomer(id) };
}

/** The price of a parcel in apps/orders: 3.90, and 1.10 for each started kilogram. */
export function shippingEstimateOf({ weightGrams }: Pick<DemoProduct, 'weightGrams'>): number {
  return 390 + Math.ceil(weightGrams / 1000) * 110;
}

export const isUuid = (actual: unknown): boolean =>
  typeof actual === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u.test(actual);

const isRating = (actual: unknown): boolean => typeof actual === 'number' && actual >= 1 && actual <= 5;

/** They change with each order that is placed. */
function isRecommendations(tenant: Tenant): (actual: unknown) => boolean {
  return (actual) =>
    Array.isArray(actual) &&
    actual.length <= 5 &&
    actual.every(({ id, name }: { id: string; name: string }) => tenant.product(id)?.name === name);
}
