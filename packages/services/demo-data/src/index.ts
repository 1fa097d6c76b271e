export { demoCustomers, type DemoCustomer } from './customers.ts';
export {
  generatedCustomers,
  generatedIdentifier,
  generatedOrders,
  generatedPeople,
  generatedProducts,
  type GeneratedRange,
  generatedReviews,
  type GeneratedSize,
  generatedUsers,
} from './generated.ts';
export { demoIdentifiers, demoTenantIds } from './identifiers.ts';
export { inTurn } from './in-turn.ts';
export { demoOrders, type DemoLineItem, type DemoOrder, type DemoOrderStatus } from './orders.ts';
export { demoProducts, type DemoProduct } from './products.ts';
export { demoReviews, type DemoReview } from './reviews.ts';
export { fnv1a, mulberry32 } from './seeded-random.ts';
export { demoUsers, type DemoUser } from './users.ts';
