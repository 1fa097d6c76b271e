import { sendOperation } from '../send-operation.ts';
import { sendRestRequest } from '../send-rest-request.ts';
import { oneOf } from '../one-of.ts';
import { expectRejectedOperation } from '../expect-rejected.ts';
import type { Session } from '../session.ts';

/** Requests data of another tenant: the response equals the one for missing data. Contract: Identity. */
export async function accessOtherTenant(session: Session): Promise<void> {
  const { otherTenant } = session;
  const product = oneOf(otherTenant.products);
  const order = oneOf(otherTenant.orders);
  switch (oneOf(['product', 'order', 'price', 'rest'] as const)) {
    case 'product':
      return void (await sendOperation(session, {
        operation: 'ProductDetails',
        method: oneOf(['GET', 'POST']),
        variables: { id: product.id, reviewsFirst: 5 },
        expected: { product: null },
      }));
    case 'order':
      return void (await sendOperation(session, {
        operation: 'OrderDetails',
        method: oneOf(['GET', 'POST']),
        variables: { id: order.id },
        expected: { order: null },
      }));
    case 'price':
      return await expectRejectedOperation(session, {
        name: "another tenant's price",
        operation: 'SetProductPrice',
        variables: { id: product.id, priceMinorUnits: 1 },
        code: 'NOT_FOUND',
      });
    case 'rest':
      return void (await sendRestRequest(session, {
        name: "another tenant's order by REST",
        service: 'orders',
        method: 'GET',
        path: `/orders/${order.id}`,
        status: 404,
        problem: 'order-not-found',
      }));
  }
}
