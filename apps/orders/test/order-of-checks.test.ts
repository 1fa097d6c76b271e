import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { startResources } from './start-resources.ts';
import type { StartedResources } from './start-resources.ts';

describe('The order of checks of the REST routes of orders', () => {
  let resources: StartedResources;
  beforeAll(async () => {
    resources = await startResources();
  });
  afterAll(() => resources.stop());

  it('redirects a trailing slash before authentication', async () => {
    const response = await resources.anonymous().get('/orders/o1/?x=1').redirects(0).expect(301);
    expect(response.headers['location']).toBe('/orders/o1?x=1');
  });

  it('answers 404 route-not-found before authentication', async () => {
    for (const path of ['/orders', '/orders/o1/lineitems', '/Orders/o1']) {
      const response = await resources.anonymous().get(path).expect(404);
      expect(response.text).toContain('/problems/route-not-found');
    }
  });

  it.each([
    ['/orders/o1', 'GET, HEAD, PATCH'],
    ['/orders/o1/cancellations', 'POST'],
    ['/orders/o1/cancellations/c1', 'GET, HEAD'],
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

describe('The throttle of the REST routes of orders', () => {
  it('answers 429 throttled with Retry-After to a tenant over its share', async () => {
    const resources = await startResources(() => ({ tenantRequestsPerSecond: 5 }));
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await resources.alice.get('/orders/o1')).status),
    );
    expect(new Set(statuses)).toContain(429);
    await resources.stop();
  });
});
