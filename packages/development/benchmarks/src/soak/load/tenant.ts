import {
  demoCustomers,
  demoOrders,
  demoProducts,
  demoReviews,
  demoTenantIds,
  demoUsers,
} from '@meridian/demo-data';

/** A tenant's data before the load changes anything. */
export type Tenant = ReturnType<typeof demoTenant>;

/** The tenants of the demo data. They share no data. */
export function demoTenants(): readonly Tenant[] {
  return demoTenantIds.map(demoTenant);
}

function demoTenant(id: string) {
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
    /** Best-selling first. */
    products,
    /** Newest first. */
    orders,
    product: (productId: string) => productById.get(productId),
    /** Newest first. */
    reviewsOf: (productId: string) => reviewsByProduct.get(productId) ?? [],
    nameOfCustomer: (customerId: string) => customerNames.get(customerId) ?? '',
    nameOfUser: (subject: string) => userNames.get(subject) ?? '',
    /** All identifiers of the tenant's data. */
    identifiers: [products, orders, reviews, customers].flatMap((list) => list.map((thing) => thing.id)),
  };
}
