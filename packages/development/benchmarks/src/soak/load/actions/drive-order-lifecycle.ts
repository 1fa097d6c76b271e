import { sendOperation } from '../send-operation.ts';
import type { GraphData } from '../send-operation.ts';
import { sendRestRequest } from '../send-rest-request.ts';
import { isUuid, shippingEstimateOf } from '../expected-responses.ts';
import { oneOf } from '../one-of.ts';
import { expectRejectedOperation } from '../expect-rejected.ts';
import type { Session } from '../session.ts';
import type { Shelf } from '../product-pool.ts';

const json = { 'Content-Type': 'application/merge-patch+json' };

/**
 * The life of an order: placed over the graph, read by both APIs, paid for, and cancelled by one of them, once. After
 * an unknown outcome it ends early, and leaves the order alone.
 */
export async function driveOrderLifecycle(session: Session, productPool: Shelf): Promise<void> {
  const quantity = oneOf([1, 2, 3, 1000]);
  const id = await placeOrder(session, productPool, quantity);
  if (id === undefined) {
    return;
  }
  await readPlaced(session, productPool, { id, quantity });
  if ((await payOrder(session, id)) && (await cancelOrder(session, id))) {
    await cancelAgain(session, id);
  }
}

async function placeOrder(
  session: Session,
  { product }: Shelf,
  quantity: number,
): Promise<string | undefined> {
  const unitPriceMinorUnits = product.priceMinorUnits;
  const data = await sendOperation(session, {
    operation: 'PlaceOrder',
    variables: { items: [{ productId: product.id, quantity, unitPriceMinorUnits }] },
    expected: {
      placeOrder: {
        id: isUuid,
        status: 'PLACED',
        createdAt: (actual) => typeof actual === 'string' && !Number.isNaN(Date.parse(actual)),
        lineItems: [{ quantity, unitPriceMinorUnits, product: { id: product.id, name: product.name } }],
      },
    },
  });
  return data === undefined ? undefined : placedId(data);
}

function placedId(data: GraphData): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what was expected
  return (data as { readonly placeOrder: { readonly id: string } }).placeOrder.id;
}

async function readPlaced(
  session: Session,
  { product }: Shelf,
  { id, quantity }: { readonly id: string; readonly quantity: number },
): Promise<void> {
  await sendOperation(session, {
    operation: 'OrderSupport',
    variables: { id },
    expected: {
      order: {
        id,
        status: 'PLACED',
        lineItems: [
          {
            quantity,
            product: {
              id: product.id,
              name: product.name,
              shippingEstimateMinorUnits: shippingEstimateOf(product),
            },
          },
        ],
        cancellation: null,
      },
    },
  });
}

/** Resolves to true if the order is known to be paid for. */
async function payOrder(session: Session, id: string): Promise<boolean> {
  const target = { name: 'an order by REST', service: 'orders', path: `/orders/${id}` } as const;
  const read = await sendRestRequest(session, { ...target, method: 'GET', status: 200 });
  const etag = read?.headers['etag'];
  if (typeof etag !== 'string') {
    return false;
  }
  await sendRestRequest(session, {
    ...target,
    method: 'GET',
    headers: { 'If-None-Match': etag },
    status: 304,
  });
  const patch = {
    ...target,
    method: 'PATCH',
    headers: { ...json, 'If-Match': etag },
    body: '{"status":"paid"}',
  } as const;
  if ((await sendRestRequest(session, { ...patch, status: 200 })) === undefined) {
    return false;
  }
  await sendRestRequest(session, { ...patch, status: 412, problem: 'stale-etag' });
  return true;
}

/** Resolves to true if the order is known to be cancelled. */
async function cancelOrder(session: Session, id: string): Promise<boolean> {
  const reason = 'Soaked through';
  if (Math.random() < 0.5) {
    const data = await sendOperation(session, {
      operation: 'CancelOrder',
      variables: { id, reason },
      expected: { cancelOrder: { id, status: 'CANCELLED' } },
    });
    return data !== undefined;
  }
  const response = await sendRestRequest(session, {
    name: 'a cancellation by REST',
    service: 'orders',
    method: 'POST',
    path: `/orders/${id}/cancellations`,
    body: JSON.stringify({ reason }),
    status: 201,
  });
  return response !== undefined;
}

async function cancelAgain(session: Session, id: string): Promise<void> {
  await sendRestRequest(session, {
    name: 'a second cancellation by REST',
    service: 'orders',
    method: 'POST',
    path: `/orders/${id}/cancellations`,
    body: '{"reason":"Again"}',
    status: 409,
    problem: 'order-already-cancelled',
  });
  await expectRejectedOperation(session, {
    name: 'a second cancellation by the graph',
    operation: 'CancelOrder',
    variables: { id, reason: 'Again' },
    code: 'ORDER_ALREADY_CANCELLED',
  });
}
