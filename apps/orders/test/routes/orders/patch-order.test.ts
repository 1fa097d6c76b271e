import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { createIdentifier } from '@meridian/subgraph';

import { orderStatuses } from '../../../src/orders/transition.ts';
import { startResources } from '../../start-resources.ts';

describe('PATCH /orders/:id', () => {
  const resources = useStarted(() => startResources());

  it('takes an order from placed to delivered, and answers each time with the order and its new ETag', async () => {
    const id = await resources.orderIn('placed');
    let etag = await resources.etagOf(id);
    for (const status of ['paid', 'shipped', 'delivered']) {
      const response = await resources.patch(id, etag, status).expect(200);
      expect(JSON.parse(response.text)).toEqual({
        id,
        status,
        customer_id: null,
        created_at: expect.any(String),
      });
      expect(response.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'private, max-age=0, must-revalidate',
      });
      expect(response.headers['etag']).not.toBe(etag);
      etag = response.headers['etag'] ?? '';
    }
    expect(await resources.etagOf(id)).toBe(etag);
  });

  it('raises the revision by exactly 1', async () => {
    const id = await resources.orderIn('placed');
    await resources.patch(id, await resources.etagOf(id), 'paid').expect(200);
    expect(await resources.stateOf(id)).toEqual({ status: 'paid', revision: 2n });
  });

  const refused = orderStatuses.flatMap((from) =>
    orderStatuses
      .filter((to) => !['placed paid', 'paid shipped', 'shipped delivered'].includes(`${from} ${to}`))
      .map((to) => [from, to] as const),
  );
  it.each(refused)('answers 409 invalid-transition from %s to %s', async (from, to) => {
    const id = await resources.orderIn(from);
    const response = await resources.patch(id, await resources.etagOf(id), to).expect(409);
    expect(response.text).toContain('/problems/invalid-transition');
    expect(await resources.stateOf(id)).toEqual({ status: from, revision: 1n });
  });

  it.each([undefined, ''])(
    'answers 428 if-match-required when If-Match is %p, before it looks at the body',
    async (ifMatch) => {
      const request = resources.alice
        .patch(`/orders/${await resources.orderIn('placed')}`)
        .set('Content-Type', 'application/merge-patch+json');
      if (ifMatch !== undefined) {
        request.set('If-Match', ifMatch);
      }
      const response = await request.send('not json').expect(428);
      expect(response.text).toContain('/problems/if-match-required');
    },
  );

  it.each(['application/json', 'application/json-patch+json', 'text/plain'])(
    'answers 415 unsupported-media-type with Accept-Patch to a body declared as %s, before it checks If-Match',
    async (mediaType) => {
      const response = await resources.alice
        .patch(`/orders/${await resources.orderIn('placed')}`)
        .set('Content-Type', mediaType)
        .send('{"status":"paid"}')
        .expect(415);
      expect(response.text).toContain('/problems/unsupported-media-type');
      expect(response.headers['accept-patch']).toBe('application/merge-patch+json');
    },
  );

  it('reads a body without a declared media type as a merge patch', async () => {
    const id = await resources.orderIn('placed');
    const request = resources.alice.patch(`/orders/${id}`).set('If-Match', await resources.etagOf(id));
    request.unset('Content-Type').write('{"status":"paid"}');
    await request.expect(200);
    expect(await resources.stateOf(id)).toMatchObject({ status: 'paid' });
  });

  it.each([
    '',
    'not json',
    '[]',
    'null',
    '{}',
    '{"status":null}',
    '{"status":"PAID"}',
    '{"status":"returned"}',
    '{"status":1}',
    '{"status":"paid","customer_id":null}',
    '{"status":"paid","status":"paid"}',
  ])('answers 400 malformed-body to the body %s', async (body) => {
    const id = await resources.orderIn('placed');
    const response = await resources.alice
      .patch(`/orders/${id}`)
      .set('Content-Type', 'application/merge-patch+json')
      .set('If-Match', await resources.etagOf(id))
      .send(body)
      .expect(400);
    expect(response.text).toContain('/problems/malformed-body');
    expect(await resources.stateOf(id)).toEqual({ status: 'placed', revision: 1n });
  });

  it.each(['"stale"', '*', 'W/$etag', '$etag, $etag'])(
    'answers 412 stale-etag to If-Match %s, whatever the transition',
    async (template) => {
      const id = await resources.orderIn('placed');
      const ifMatch = template.replaceAll('$etag', await resources.etagOf(id));
      for (const status of ['paid', 'cancelled', 'delivered']) {
        const response = await resources.patch(id, ifMatch, status).expect(412);
        expect(response.text).toContain('/problems/stale-etag');
      }
      expect(await resources.stateOf(id)).toEqual({ status: 'placed', revision: 1n });
    },
  );

  it.each([createIdentifier(), 'o1'])('answers 404 order-not-found for %s', async (id) => {
    const response = await resources.patch(id, '"x"', 'paid').expect(404);
    expect(response.text).toContain('/problems/order-not-found');
  });

  it("answers another tenant's order like an absent one", async () => {
    const id = await resources.orderIn('placed', 'globex');
    await resources.patch(id, '"x"', 'paid').expect(404);
  });

  it('answers 200 to one of many racing writers with one ETag, and 412 to the others', async () => {
    const id = await resources.orderIn('placed');
    const etag = await resources.etagOf(id);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await resources.patch(id, etag, 'paid')).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(19);
    expect(await resources.stateOf(id)).toEqual({ status: 'paid', revision: 2n });
  });

  it('answers 412 stale-etag when another writer commits between the check and the transition', async () => {
    const id = await resources.orderIn('placed');
    const etag = await resources.etagOf(id);
    // The row is locked by a writer that has not committed yet: the check reads the old revision, the transition waits.
    const other = await resources.beginWrite(id, { changes: true });

    const settled = resources.patch(id, etag, 'paid').then(({ status, text }) => ({ status, text }));
    await resources.untilBlocked();
    await other.commit();

    expect(await settled).toEqual({ status: 412, text: expect.stringContaining('/problems/stale-etag') });
    expect(await resources.stateOf(id)).toEqual({ status: 'placed', revision: 2n });
  });
});
