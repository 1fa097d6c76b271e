import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { OutcomeUnknown, StoreTimeout } from '@meridian/database';

import { startResources } from './start-resources.ts';

describe('The order of checks of the REST routes of orders', () => {
  const resources = useStarted(() => startResources());

  it.each([
    ['/orders/o1', 'GET, HEAD, PATCH'],
    ['/orders/o1/cancellations', 'POST'],
  ])('answers 405 method-not-allowed with Allow to DELETE %s before authentication', async (path, allow) => {
    const response = await resources.anonymous().delete(path).expect(405);
    expect(response.headers['allow']).toBe(allow);
  });

  it.each([
    ['get', '/orders/o1', 'orders:write', 'orders:read'],
    ['patch', '/orders/o1', 'orders:read', 'orders:write'],
    ['post', '/orders/o1/cancellations', 'orders:read', 'orders:write'],
    ['get', '/orders/o1/cancellations/c1', 'orders:write', 'orders:read'],
  ] as const)(
    '%s %s answers 401 without a token and 403 with only the scope %s, before it negotiates',
    async (method, path, held, needed) => {
      await resources.anonymous()[method](path).set('Accept', 'text/html').expect(401);
      const client = await resources.client({ scopes: [held] });
      const response = await client[method](path).set('Accept', 'text/html').expect(403);
      expect(response.headers['www-authenticate']).toBe(
        `Bearer realm="meridian", error="insufficient_scope", scope="${needed}"`,
      );
    },
  );

  it('answers PATCH with 406, then 415, then 428, then 400, then 404', async () => {
    const patch = () =>
      resources.alice.patch('/orders/o1').set('Content-Type', 'application/merge-patch+json');
    await patch().set('Accept', 'text/html').set('Content-Type', 'text/plain').send('{').expect(406);
    await patch().set('Content-Type', 'text/plain').send('{').expect(415);
    await patch().send('{').expect(428);
    await patch().set('If-Match', '"x"').send('{').expect(400);
    await patch().set('If-Match', '"x"').send('{"status":"paid"}').expect(404);
  });
});

describe('The REST routes of orders', () => {
  it('answer 429 throttled with Retry-After to a tenant over its share', async () => {
    const resources = await startResources(() => ({ tenantRequestsPerSecond: 5 }));
    const responses = await Promise.all(
      Array.from({ length: 40 }, async () => await resources.alice.get('/orders/o1')),
    );
    const throttled = responses.find(({ status }) => status === 429);
    expect(throttled?.text).toContain('/problems/throttled');
    expect(throttled?.headers['retry-after']).toMatch(/^\d+$/u);
    await resources.stop();
  });

  it('answer a read and a write with the problem of a store that fails', async () => {
    let failure: Error | undefined;
    const resources = await startResources(({ database }) => ({
      database: {
        ...database,
        asTenant: (...call) => (failure === undefined ? database.asTenant(...call) : Promise.reject(failure)),
        transactionAsTenant: (...call) =>
          failure === undefined ? database.transactionAsTenant(...call) : Promise.reject(failure),
      },
    }));
    const id = await resources.orderIn('paid');
    const etag = await resources.etagOf(id);

    failure = new StoreTimeout('too slow');
    const read = await resources.alice.get(`/orders/${id}`).expect(504);
    expect(read.headers['retry-after']).toBe('1');
    expect(read.text).toContain('The store did not respond in time.');

    failure = new OutcomeUnknown('lost');
    for (const { text } of [
      await resources.patch(id, etag, 'shipped').expect(500),
      await resources.alice.post(`/orders/${id}/cancellations`).send('{"reason":"lost"}').expect(500),
    ]) {
      expect(text).toContain('Outcome unknown; read the order again.');
    }
    await resources.stop();
  });
});
