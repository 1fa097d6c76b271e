import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { startResources } from './start-resources.ts';
import type { StartedResources } from './start-resources.ts';

describe('The order of checks of the REST routes of orders', () => {
  let resources: StartedResources;
  beforeAll(async () => {
    resources = await startResources();
  });
  afterAll(() => resources.stop());

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
