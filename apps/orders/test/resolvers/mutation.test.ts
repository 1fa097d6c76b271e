import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { demoCustomers } from '@meridian/demo-data';
import { createIdentifier } from '@meridian/subgraph';

import type { OrderStatus } from '../../src/orders/transition.ts';
import { startOrders } from '../start-orders.ts';

const [customer] = demoCustomers('acme');
const [stranger] = demoCustomers('globex');

const orders = useStarted(() => startOrders());

describe('Mutation.placeOrder', () => {
  const fields =
    'id status createdAt lineItems { product { id } quantity unitPriceMinorUnits } customer { name }';
  const document = `mutation PlaceOrder($customerId: ID, $items: [LineItemInput!]!) {
    placeOrder(customerId: $customerId, items: $items) { ${fields} }
  }`;

  it('places an order, which is the newest at once', async () => {
    const items = [lineItem(), lineItem({ quantity: 1000, unitPriceMinorUnits: 0 })];
    const { data, errors } = await orders.ask(document, { customerId: customer?.id, items });
    expect(errors).toBeUndefined();
    expect(data?.['placeOrder']).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      status: 'PLACED',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      lineItems: items.map(({ productId, quantity, unitPriceMinorUnits }) => ({
        product: { id: productId },
        quantity,
        unitPriceMinorUnits,
      })),
      customer: { name: customer?.name },
    });
    expect(await orders.ask(`{ orders(first: 1) { ${fields} } }`)).toEqual({
      data: { orders: [data?.['placeOrder']] },
    });
  });

  it('places an order without a customer', async () => {
    const { data } = await orders.ask(document, { items: [lineItem()] });
    expect(data).toMatchObject({ placeOrder: { status: 'PLACED', customer: null } });
  });

  const twice = lineItem();
  it.each([
    ['no items', []],
    ['101 items', Array.from({ length: 101 }, () => lineItem())],
    ['a quantity of 0', [lineItem({ quantity: 0 })]],
    ['a quantity of 1001', [lineItem({ quantity: 1001 })]],
    ['a price below zero', [lineItem({ unitPriceMinorUnits: -1 })]],
    ['a product whose identifier is malformed', [lineItem({ productId: 'p1' })]],
    ['a product twice', [twice, twice]],
  ])('refuses %s', async (_what, items) => {
    const { data, errors } = await orders.ask(document, { items });
    expect(data).toEqual({ placeOrder: null });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it.each([
    ['another tenant’s customer', stranger?.id],
    ['a malformed identifier', 'c1'],
  ])('answers NOT_FOUND for %s', async (_what, customerId) => {
    const { errors } = await orders.ask(document, { customerId, items: [lineItem()] });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  it('needs the scope orders:write', async () => {
    const { errors } = await orders.ask(document, { items: [lineItem()] }, { scopes: ['orders:read'] });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }]);
  });
});

describe('Mutation.cancelOrder', () => {
  const document = `mutation CancelOrder($id: ID!, $reason: String!) {
    cancelOrder(id: $id, reason: $reason) { id status }
  }`;

  it.each(['placed', 'paid'] as const)(
    'cancels an order that is %s, and keeps who did so and why',
    async (status) => {
      const id = await orderIn(status);
      const response = await orders.ask(document, { id, reason: 'ordered twice' }, { subject: 'bob' });
      expect(response).toEqual({ data: { cancelOrder: { id, status: 'CANCELLED' } } });
      expect(await statusOf(id)).toBe('CANCELLED');
      expect(await cancellationsOf(id)).toEqual([
        { reason: 'ordered twice', actor: 'bob', actor_issuer: 'http://meridian.localhost' },
      ]);
    },
  );

  it.each([
    ['shipped', 'INVALID_TRANSITION'],
    ['delivered', 'INVALID_TRANSITION'],
    ['cancelled', 'ORDER_ALREADY_CANCELLED'],
  ] as const)('leaves an order that is %s as it is: %s', async (status, code) => {
    const id = await orderIn(status);
    const { data, errors } = await orders.ask(document, { id, reason: 'too late' });
    expect(data).toEqual({ cancelOrder: null });
    expect(errors).toMatchObject([{ extensions: { code } }]);
    expect(await statusOf(id)).toBe(status.toUpperCase());
    expect(await cancellationsOf(id)).toEqual([]);
  });

  it('cancels an order once, however many try at the same time', async () => {
    const id = await orderIn('placed');
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => orders.ask(document, { id, reason: `attempt ${n}` })),
    );
    const codes = responses.flatMap(({ errors }) => errors ?? []).map((error) => error.extensions.code);
    expect(codes).toEqual(Array.from({ length: 7 }, () => 'ORDER_ALREADY_CANCELLED'));
    expect(await cancellationsOf(id)).toHaveLength(1);
  });

  it('raises the revision of the order by exactly 1', async () => {
    const id = await orderIn('placed');
    await orders.ask(document, { id, reason: 'why not' });
    const { database } = orders;
    expect(
      await database.asTenant(
        'acme',
        database.knex('orders').select('revision').where({ tenant_id: 'acme', id }),
      ),
    ).toEqual([{ revision: 2n }]);
  });

  it('answers NOT_FOUND for another tenant’s order, and for a missing one', async () => {
    for (const id of [await orderIn('placed', 'globex'), createIdentifier(), 'o1']) {
      const { errors } = await orders.ask(document, { id, reason: 'not mine' });
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
  });

  it.each(['', ' ', '\n', 'a\u0007', '\u0000', '\ud800', 'x'.repeat(1001)])(
    'refuses the reason %j, as a POST of a cancellation does',
    async (reason) => {
      const { errors } = await orders.ask(document, { id: await orderIn('placed'), reason });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    },
  );

  it('accepts a reason of 1000 characters that are two UTF-16 code units each', async () => {
    const id = await orderIn('placed');
    const response = await orders.ask(document, { id, reason: '🙂'.repeat(1000) });
    expect(response).toEqual({ data: { cancelOrder: { id, status: 'CANCELLED' } } });
  });

  it('needs the scope orders:write', async () => {
    const id = await orderIn('placed');
    const { errors } = await orders.ask(document, { id, reason: 'why' }, { scopes: ['orders:read'] });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }]);
    expect(await statusOf(id)).toBe('PLACED');
  });
});

describe('The second of two mutations', () => {
  it("leaves the first one's effect when it fails", async () => {
    const { data, errors } = await orders.ask(
      `mutation Two($items: [LineItemInput!]!, $id: ID!) {
        placed: placeOrder(items: $items) { id }
        cancelled: cancelOrder(id: $id, reason: "there is none") { id }
      }`,
      { items: [lineItem()], id: createIdentifier() },
    );
    expect(errors).toMatchObject([{ path: ['cancelled'] }]);
    expect(data).toEqual({ placed: { id: expect.any(String) }, cancelled: null });
    expect(await orders.ask('{ orders(first: 1) { id } }')).toEqual({ data: { orders: [data?.['placed']] } });
  });
});

/** A line item of a product of its own. */
function lineItem(
  difference: Partial<{ productId: string; quantity: number; unitPriceMinorUnits: number }> = {},
) {
  return { productId: createIdentifier(), quantity: 2, unitPriceMinorUnits: 1250, ...difference };
}

/** A new order in a status. */
async function orderIn(status: OrderStatus, tenantId = 'acme'): Promise<string> {
  const id = createIdentifier();
  await orders.stores.orders.insertMany(tenantId, [
    { id, status, customerId: null, lineItems: [lineItem()] },
  ]);
  return id;
}

async function statusOf(id: string): Promise<unknown> {
  const { data } = await orders.ask('query Order($id: ID!) { order(id: $id) { status } }', { id });
  return Object(data?.['order']).status;
}

function cancellationsOf(id: string) {
  const { database } = orders;
  const query = database
    .knex('cancellations')
    .select('reason', 'actor', 'actor_issuer')
    .where({ tenant_id: 'acme', order_id: id });
  return database.asTenant('acme', query);
}
