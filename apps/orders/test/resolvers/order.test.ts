import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { demoCustomers, demoOrders } from '@meridian/demo-data';
import type { DemoOrder } from '@meridian/demo-data';
import { userIdOf } from '@meridian/subgraph';

import { startOrders } from '../start-orders.ts';

const acme = demoOrders('acme');
const customerName = new Map(demoCustomers('acme').map(({ id, name }) => [id, name]));

describe('Order', () => {
  const orders = useStarted(() =>
    startOrders(({ database }) => ({
      database: {
        ...database,
        asTenant: (tenantId, query, options) =>
          failing !== undefined && query.toQuery().includes(failing)
            ? Promise.reject(new Error(`cannot run ${failing}`))
            : database.asTenant(tenantId, query, options),
      },
    })),
  );
  /** The statements that fail: those that contain this text. */
  let failing: string | undefined;

  it('has its line items, customer and time', async () => {
    const [order] = acme;
    const document = `query Order($id: ID!) {
      order(id: $id) {
        id status createdAt
        lineItems { product { id } quantity unitPriceMinorUnits }
        customer { id name }
      }
    }`;
    expect(await orders.ask(document, { id: order?.id })).toEqual({
      data: {
        order: {
          id: order?.id,
          status: 'PLACED',
          createdAt: order?.createdAt.replace('.000Z', '.000000Z'),
          lineItems: order?.lineItems.map(({ productId, quantity, unitPriceMinorUnits }) => ({
            product: { id: productId },
            quantity,
            unitPriceMinorUnits,
          })),
          customer: { id: order?.customerId, name: customerName.get(order?.customerId ?? '') },
        },
      },
    });
  });

  it('has a null customer without an error when none is known', async () => {
    const anonymous = acme.find((order) => order.customerId === null);
    const document = 'query Order($id: ID!) { order(id: $id) { customer { id } } }';
    expect(await orders.ask(document, { id: anonymous?.id })).toEqual({
      data: { order: { customer: null } },
    });
  });

  it('shows who cancelled it and why, with one statement for all orders', async () => {
    const [first, second] = acme;
    const cancel =
      'mutation Cancel($id: ID!, $reason: String!) { cancelOrder(id: $id, reason: $reason) { id } }';
    await orders.ask(cancel, { id: first?.id, reason: 'ordered twice' }, { subject: 'bob' });
    await orders.ask(cancel, { id: second?.id, reason: 'too slow' });

    const document = `query Orders($first: ID!, $second: ID!) {
      first: order(id: $first) { cancellation { id reason createdAt actor { id subject } } cancellationReason }
      second: order(id: $second) { cancellation { actor { subject } } cancellationReason }
    }`;
    const { response, statements } = await orders.counting(() =>
      orders.ask(document, { first: first?.id, second: second?.id }),
    );
    const bob = { tenantId: 'acme', issuer: 'http://meridian.localhost', subject: 'bob' };
    expect(response).toEqual({
      data: {
        first: {
          cancellation: {
            id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
            reason: 'ordered twice',
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
            actor: { id: userIdOf(bob), subject: 'bob' },
          },
          cancellationReason: 'ordered twice',
        },
        second: { cancellation: { actor: { subject: 'alice' } }, cancellationReason: 'too slow' },
      },
    });
    expect(statements).toBe(2);
  });

  it('has a null cancellation when it was not cancelled, without a statement', async () => {
    const id = acme.at(-1)?.id;
    const document = 'query Order($id: ID!) { order(id: $id) { cancellation { id } cancellationReason } }';
    const { response, statements } = await orders.counting(() => orders.ask(document, { id }));
    expect(response).toEqual({ data: { order: { cancellation: null, cancellationReason: null } } });
    expect(statements).toBe(1);
  });

  it('recommends at most 5 products from orders that share a product with it, the most frequent first', async () => {
    const { data } = await orders.ask('{ orders(first: 100) { recommendations { id } } }');
    const expected = acme.toReversed().map((order) => ({ recommendations: recommendationsFor(order) }));
    expect(data).toEqual({ orders: expected });
    expect(expected.some(({ recommendations }) => recommendations.length === 5)).toBe(true);
  });

  it('is null when its non-null line items fail', async () => {
    failing = 'quantity';
    const { data } = await orders.ask('{ orders(first: 2) { id lineItems { quantity } } }');
    failing = undefined;
    expect(data).toEqual({ orders: [null, null] });
  });

  it('has null recommendations when they fail, without the cause', async () => {
    failing = 'count(*)';
    const { data, errors } = await orders.ask('{ orders(first: 1) { id recommendations { id } } }');
    failing = undefined;
    expect(data).toEqual({ orders: [{ id: acme.at(-1)?.id, recommendations: null }] });
    expect(errors).toMatchObject([
      {
        message: 'Internal server error',
        path: ['orders', 0, 'recommendations'],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ]);
  });
});

/** The expected recommendations, computed the slow and simple way. */
function recommendationsFor(order: DemoOrder): { id: string }[] {
  const own = new Set(order.lineItems.map((item) => item.productId));
  const times = new Map<string, number>();
  for (const other of acme.filter((candidate) => candidate !== order)) {
    const common = other.lineItems.filter((item) => own.has(item.productId)).length;
    for (const { productId } of other.lineItems.filter((item) => common > 0 && !own.has(item.productId))) {
      times.set(productId, (times.get(productId) ?? 0) + common);
    }
  }
  const ranked = [...times].toSorted(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1));
  return ranked.slice(0, 5).map(([id]) => ({ id }));
}
