import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { connectDatabase } from '@meridian/database';
import { demoOrders } from '@meridian/demo-data';
import { createIdentifier } from '@meridian/subgraph';

import { startResources } from '../../start-resources.ts';

const resources = useStarted(() => startResources());

const [demoOrder] = demoOrders('acme');
const path = `/orders/${demoOrder?.id}`;

describe('GET /orders/:id', () => {
  it('answers 200 with the order, its ETag and Cache-Control', async () => {
    const response = await resources.alice.get(path).expect(200);

    expect(JSON.parse(response.text)).toEqual({
      id: demoOrder?.id,
      status: 'placed',
      customer_id: demoOrder?.customerId,
      created_at: demoOrder?.createdAt.replace('.000Z', '.000000Z'),
    });
    expect(response.headers).toMatchObject({
      etag: expect.stringMatching(/^"[A-Za-z0-9_-]{22}"$/),
      'cache-control': 'private, max-age=0, must-revalidate',
      'content-type': 'application/json',
    });
    expect(response.headers).not.toHaveProperty('vary');
  });

  it('has a customer_id of null when no customer is known', async () => {
    const id = await resources.orderIn('paid');
    const response = await resources.alice.get(`/orders/${id}`).expect(200);
    expect(JSON.parse(response.text)).toMatchObject({ status: 'paid', customer_id: null });
  });

  it('answers 304 without a body when If-None-Match equals the ETag', async () => {
    const { headers } = await resources.alice.get(path).expect(200);
    const etag = headers['etag'] ?? '';

    const response = await resources.alice.get(path).set('If-None-Match', etag).expect(304);

    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({ etag, 'cache-control': 'private, max-age=0, must-revalidate' });
    expect(response.headers).not.toHaveProperty('content-type');
  });

  it.each(['*', '"another"', 'W/$etag', '$etag, "another"'])(
    'answers 200 to If-None-Match %s, which is not the ETag as one exact string',
    async (template) => {
      const etag = await resources.etagOf(demoOrder?.id ?? '');
      await resources.alice.get(path).set('If-None-Match', template.replace('$etag', etag)).expect(200);
    },
  );

  it('changes the ETag when the graph cancels the order', async () => {
    const id = await resources.orderIn('placed');
    const etag = await resources.etagOf(id);
    await resources.ask('mutation Cancel($id: ID!) { cancelOrder(id: $id, reason: "too slow") { id } }', {
      id,
    });

    const response = await resources.alice.get(`/orders/${id}`).set('If-None-Match', etag).expect(200);

    expect(JSON.parse(response.text)).toMatchObject({ status: 'cancelled' });
    expect(response.headers['etag']).not.toBe(etag);
  });

  it('changes the ETag when the store epoch changes, as after a restore', async () => {
    const id = await resources.orderIn('placed');
    const etag = await resources.etagOf(id);
    const owner = connectDatabase({
      url: resources.adminUrl,
      applicationName: 'restore',
      poolSize: 1,
      statementTimeoutMs: 5000,
      logger: { warn: () => undefined },
    });
    await owner.query('select renew_store_epoch()');
    await owner.close();
    expect(await resources.etagOf(id)).not.toBe(etag);
  });

  it.each([createIdentifier(), 'o1', '%20', demoOrder?.id.toUpperCase()])(
    'answers 404 order-not-found for %s, which is not an order',
    async (id) => {
      const response = await resources.alice.get(`/orders/${id}`).expect(404);
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(response.text).toContain('/problems/order-not-found');
    },
  );

  it("answers another tenant's order exactly like an absent one", async () => {
    const globex = await resources.client({ tenant: 'globex' });
    const absentId = createIdentifier();

    const foreign = await globex.get(path).expect(404);
    const absent = await globex.get(`/orders/${absentId}`).expect(404);

    expect(foreign.text.replace(demoOrder?.id ?? '', absentId)).toBe(absent.text);
  });

  it('answers 406 not-acceptable to a client that does not accept JSON', async () => {
    const response = await resources.alice.get(path).set('Accept', 'text/html').expect(406);
    expect(response.text).toContain('/problems/not-acceptable');
  });
});

describe('HEAD /orders/:id', () => {
  it("answers with GET's header fields and no body", async () => {
    const read = await resources.alice.get(path).expect(200);
    const head = await resources.alice.head(path).expect(200);
    for (const name of ['etag', 'cache-control', 'content-type', 'content-length']) {
      expect([name, head.headers[name]]).toEqual([name, read.headers[name]]);
    }
    expect(head.text ?? '').toBe('');
  });
});
