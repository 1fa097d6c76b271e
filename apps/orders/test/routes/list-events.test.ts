import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';

import { startResources } from '../start-resources.ts';

interface Page {
  items: {
    id: string;
    type: string;
    subject: string;
    time: string;
    actor?: string;
    data: Record<string, unknown>;
  }[];
  next_cursor: string;
}

describe('GET /events of orders', () => {
  const orders = useStarted(() => startResources());
  let afterDemoData: string;
  beforeAll(async () => {
    afterDemoData = (await read('limit=100')).next_cursor;
  });

  const read = async (query: string): Promise<Page> =>
    JSON.parse((await orders.alice.get(`/events?${query}`).expect(200)).text) as Page;

  it('has every change of an order once, by whichever API it was made, with the order after it and its actor', async () => {
    const item = '{ productId: "01900000-0000-7000-8000-000000000000", quantity: 1, unitPriceMinorUnits: 5 }';
    const place = async () => {
      const { data } = await orders.ask(`mutation { placeOrder(items: [${item}]) { id } }`);
      return (data?.['placeOrder'] as { id: string } | null)?.id ?? '';
    };
    const [shipped, cancelled, called] = [await place(), await place(), await place()];
    await orders.patch(shipped, await orders.etagOf(shipped), 'paid').expect(200);
    await orders.patch(shipped, await orders.etagOf(shipped), 'shipped').expect(200);
    await orders.patch(shipped, await orders.etagOf(shipped), 'paid').expect(409);
    const bob = await orders.client({ subject: 'bob' });
    const cancel = () =>
      bob
        .post(`/orders/${cancelled}/cancellations`)
        .set('Idempotency-Key', '"1"')
        .send('{"reason":"ordered twice"}');
    await cancel().expect(201);
    // The response is kept: nothing happens again.
    await cancel().expect(201);
    const document = `mutation { cancelOrder(id: "${called}", reason: "too late") { id } }`;
    await orders.ask(document);
    await orders.ask(document);

    const { items } = await read(`after=${afterDemoData}`);
    expect(items.map(({ type, subject, actor, data }) => [type, subject, actor, data['status']])).toEqual([
      ['order.placed', `/orders/${shipped}`, 'alice', 'placed'],
      ['order.placed', `/orders/${cancelled}`, 'alice', 'placed'],
      ['order.placed', `/orders/${called}`, 'alice', 'placed'],
      ['order.status-changed', `/orders/${shipped}`, 'alice', 'paid'],
      ['order.status-changed', `/orders/${shipped}`, 'alice', 'shipped'],
      ['order.cancelled', `/orders/${cancelled}`, 'bob', 'cancelled'],
      ['order.cancelled', `/orders/${called}`, 'alice', 'cancelled'],
    ]);
    for (const id of [shipped, cancelled, called]) {
      const last = items.findLast(({ subject }) => subject === `/orders/${id}`);
      expect(last?.data).toEqual(JSON.parse((await orders.alice.get(`/orders/${id}`).expect(200)).text));
    }
    expect(items[0]).toMatchObject({ specversion: '1.0', source: '/orders', tenantid: 'acme' });
  });

  it('keeps the events of one order in the order of its changes, though the clock went back', async () => {
    const id = await orders.orderIn('placed');
    const { knex } = orders.database;
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    await orders.database.asTenant(
      'acme',
      knex('orders').where({ tenant_id: 'acme', id }).update({ created_at: inAnHour }),
    );
    for (const status of ['paid', 'shipped', 'delivered']) {
      await orders.patch(id, await orders.etagOf(id), status).expect(200);
    }
    const { items } = await read(`subject=/orders/${id}`);
    expect(items.map(({ data }) => data['status'])).toEqual(['placed', 'paid', 'shipped', 'delivered']);
    const times = items.slice(1).map(({ time }) => time);
    expect(new Set(times).size).toBe(3);
    expect(times.toSorted()).toEqual(times);
    expect((times[0] ?? '') > inAnHour.slice(0, 19)).toBe(true);
  });

  it('filters by type and by order, and takes the scope events:read', async () => {
    const { items } = await read('type=order.cancelled&limit=100');
    expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['order.cancelled']));
    await orders.alice.get('/events?type=account.created').expect(400);
    await (await orders.client({ scopes: ['orders:read'] })).get('/events').expect(403);
  });
});
