import type { DemoOrder, DemoProduct, DemoReview } from '@meridian/demo-data';
import {
  demoCustomers,
  demoOrders,
  demoProducts,
  demoReviews,
  demoTenantIds,
  demoUsers,
} from '@meridian/demo-data';

/** A tenant's data before the load changes anything. */
export interface Tenant {
  readonly id: string;
  /** Best-selling first. */
  readonly products: readonly DemoProduct[];
  /** Newest first. */
  readonly orders: readonly DemoOrder[];
  product(id: string): DemoProduct | undefined;
  /** Newest first. */
  reviewsOf(productId: string): readonly DemoReview[];
  nameOfCustomer(id: string): string;
  nameOfUser(subject: string): string;
  /** All identifiers of the tenant's data. */
  identifiers(): Iterable<string>;
}

/** The tenants of the demo data. They share no data. */
export function demoTenants(): readonly Tenant[] {
  return demoTenantIds.map(demoTenant);
}

function demoTenant(id: string): Tenant {
  const products = demoProducts(id);
  const orders = demoOrders(id).toReversed();
  const reviews = demoReviews(id);
  const customers = demoCustomers(id);
  const productById = new Map(products.map((product) => [product.id, product]));
  const reviewsByProduct = Map.groupBy(reviews, ({ productId }) => productId);
  const customerNames = new Map(customers.map((customer) => [customer.id, customer.name]));
  const userNames = new Map(demoUsers().map(({ subject, name }) => [subject, name]));
  return {
    id,
    products,
    orders,
    product: (productId) => productById.get(productId),
    reviewsOf: (productId) => reviewsByProduct.get(productId) ?? [],
    nameOfCustomer: (customerId) => customerNames.get(customerId) ?? '',
    nameOfUser: (subject) => userNames.get(subject) ?? '',
    *identifiers() {
      for (const list of [products, orders, reviews, customers]) {
        yield* list.map((thing) => thing.id);
      }
    },
  };
}
