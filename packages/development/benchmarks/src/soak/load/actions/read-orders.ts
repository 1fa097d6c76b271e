import { sendOperation } from '../send-operation.ts';
import { expectedOrder, expectedOrderReviews } from '../expected-responses.ts';
import { oneOf } from '../one-of.ts';
import type { Session } from '../session.ts';
import { isSold } from '../product-pool.ts';

/** Reads orders of the demo data, across two and four subgraphs. */
export async function readOrders(session: Session): Promise<void> {
  const { tenant } = session;
  const order = oneOf(tenant.orders);
  const method = oneOf(['GET', 'POST'] as const);
  const variables = { id: order.id };
  switch (oneOf(['details', 'reviews', 'recent'] as const)) {
    case 'details':
      return void (await sendOperation(session, {
        operation: 'OrderDetails',
        method,
        variables,
        expected: { order: expectedOrder(tenant, order) },
      }));
    case 'reviews':
      return void (await sendOperation(session, {
        operation: 'OrderReviews',
        method,
        variables,
        expected: { order: expectedOrderReviews(tenant, order, isSold(tenant)) },
      }));
    case 'recent':
      return void (await sendOperation(session, {
        operation: 'RecentOrders',
        method,
        variables: { first: 10 },
        // Other clients determine which orders these are; the tenant isolation checks whose they are.
        expected: { orders: (actual) => Array.isArray(actual) && actual.length === 10 },
      }));
  }
}
