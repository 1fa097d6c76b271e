import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { createIdentifier } from '@meridian/subgraph';

import { startResources } from '../../start-resources.ts';

describe('POST /orders/:id/cancellations', () => {
  const resources = useStarted(() => startResources());

  const cancel = (id: string, body = '{"reason":"ordered twice"}') =>
    resources.alice.post(`/orders/${id}/cancellations`).send(body);

  const cancellationsOf = (id: string) =>
    resources.stores.cancellations.findByOrders('acme', [id], AbortSignal.timeout(5000));

  it.each(['placed', 'paid'] as const)(
    'answers 201 with the cancellation of an order that is %s, and its Location, where it is read back',
    async (status) => {
      const id = await resources.orderIn(status);
      const before = new Date().toISOString();

      const response = await cancel(id).expect(201);

      const cancellation: { id: string; created_at: string } = JSON.parse(response.text);
      expect(cancellation).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        order_id: id,
        reason: 'ordered twice',
        actor: 'alice',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      });
      expect(cancellation.created_at > before.slice(0, -5)).toBe(true);
      expect(response.headers['location']).toBe(`/orders/${id}/cancellations/${cancellation.id}`);
      const read = await resources.alice.get(response.headers['location'] ?? '').expect(200);
      expect(read.text).toBe(response.text);
      expect(await resources.stateOf(id)).toEqual({ status: 'cancelled', revision: 2n });
    },
  );

  it('keeps the subject of the token as the actor', async () => {
    const bob = await resources.client({ subject: 'bob' });
    const response = await bob
      .post(`/orders/${await resources.orderIn('paid')}/cancellations`)
      .send('{"reason":"too slow"}')
      .expect(201);
    expect(JSON.parse(response.text)).toMatchObject({ actor: 'bob' });
  });

  it('makes the ETag of the order stale', async () => {
    const id = await resources.orderIn('placed');
    const etag = await resources.etagOf(id);
    await cancel(id).expect(201);
    await resources.patch(id, etag, 'paid').expect(412);
  });

  it('answers 409 order-already-cancelled again, and leaves the first cancellation as it was', async () => {
    const id = await resources.orderIn('placed');
    await cancel(id).expect(201);
    const response = await cancel(id, '{"reason":"another"}').expect(409);
    expect(response.text).toContain('/problems/order-already-cancelled');
    expect(await cancellationsOf(id)).toMatchObject([{ reason: 'ordered twice' }]);
  });

  it('answers 409 order-already-cancelled for an order that the graph has cancelled', async () => {
    const id = await resources.orderIn('placed');
    await resources.ask('mutation Cancel($id: ID!) { cancelOrder(id: $id, reason: "too slow") { id } }', {
      id,
    });
    const response = await cancel(id).expect(409);
    expect(response.text).toContain('/problems/order-already-cancelled');
  });

  it.each(['shipped', 'delivered'] as const)(
    'answers 409 invalid-transition for an order that is %s',
    async (status) => {
      const id = await resources.orderIn(status);
      const response = await cancel(id).expect(409);
      expect(response.text).toContain('/problems/invalid-transition');
      expect(await resources.stateOf(id)).toEqual({ status, revision: 1n });
      expect(await cancellationsOf(id)).toEqual([]);
    },
  );

  it.each([createIdentifier(), 'o1'])('answers 404 order-not-found for %s', async (id) => {
    const response = await cancel(id).expect(404);
    expect(response.text).toContain('/problems/order-not-found');
  });

  it("answers another tenant's order like an absent one", async () => {
    await cancel(await resources.orderIn('placed', 'globex')).expect(404);
  });

  it.each([
    '',
    '{}',
    '[]',
    '{"reason":null}',
    '{"reason":""}',
    '{"reason":" "}',
    '{"reason":"\\n"}',
    '{"reason":"a\\u0007"}',
    '{"reason":"\\u0000"}',
    '{"reason":"\\ud800"}',
    `{"reason":"${'x'.repeat(1001)}"}`,
    '{"reason":"why not","actor":"mallory"}',
  ])('answers 400 malformed-body to the body %s', async (body) => {
    const id = await resources.orderIn('placed');
    const response = await cancel(id, body).expect(400);
    expect(response.text).toContain('/problems/malformed-body');
    expect(await resources.stateOf(id)).toEqual({ status: 'placed', revision: 1n });
  });

  it.each(['x'.repeat(1000), '🙂'.repeat(1000), ' "zu spät" ', 'late,\n\tand broken'])(
    'keeps the reason %s unchanged',
    async (reason) => {
      const response = await cancel(await resources.orderIn('placed'), JSON.stringify({ reason })).expect(
        201,
      );
      expect(JSON.parse(response.text)).toMatchObject({ reason });
    },
  );

  it('answers 415 unsupported-media-type to a body that is not declared as JSON', async () => {
    const id = await resources.orderIn('placed');
    await cancel(id).set('Content-Type', 'text/plain').expect(415);
  });

  it('cancels an order once, however many try at the same time', async () => {
    const id = await resources.orderIn('placed');
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await cancel(id)).status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(11);
    expect(await cancellationsOf(id)).toHaveLength(1);
  });

  it('and a concurrent PATCH to shipped have one winner, and the other answers 409', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await resources.orderIn('paid');
      const etag = await resources.etagOf(id);
      // Both wait for the row, in whatever order they come.
      const other = await resources.beginWrite(id, { changes: false });
      const both = Promise.all([
        cancel(id).then(outcomeOf),
        resources.patch(id, etag, 'shipped').then(outcomeOf),
      ]);
      await resources.untilBlocked(2);
      await other.commit();
      const responses = await both;

      expect([
        { status: 'cancelled', cancellations: 1, responses: ['201', '412 stale-etag'] },
        { status: 'shipped', cancellations: 0, responses: ['409 invalid-transition', '200'] },
      ]).toContainEqual({
        status: (await resources.stateOf(id))?.status,
        cancellations: (await cancellationsOf(id)).length,
        responses,
      });
    }
  });

  describe('with an Idempotency-Key', () => {
    it('repeats the stored response, with Idempotent-Replayed: true', async () => {
      const id = await resources.orderIn('placed');
      const first = await cancel(id).set('Idempotency-Key', 'replay').expect(201);
      const second = await cancel(id).set('Idempotency-Key', '"replay"').expect(201);

      expect(second.text).toBe(first.text);
      expect(second.headers['location']).toBe(first.headers['location']);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(first.headers).not.toHaveProperty('idempotent-replayed');
    });

    it('gives many requests at once one effect', async () => {
      const id = await resources.orderIn('placed');
      const responses = await Promise.all(
        Array.from({ length: 8 }, () =>
          cancel(id)
            .set('Idempotency-Key', 'at-once')
            .then(({ status, text }) => `${status} ${text}`),
        ),
      );
      expect(new Set(responses).size).toBe(1);
      expect(responses[0]).toMatch(/^201 /);
    });

    it('stores no problem', async () => {
      const id = await resources.orderIn('shipped');
      await cancel(id).set('Idempotency-Key', 'refused').expect(409);
      const { database } = resources;
      await database.asTenant(
        'acme',
        database.knex('orders').update({ status: 'paid' }).where({ tenant_id: 'acme', id }),
      );
      const response = await cancel(id).set('Idempotency-Key', 'refused').expect(201);
      expect(response.headers).not.toHaveProperty('idempotent-replayed');
    });

    it('answers 409 idempotency-key-in-flight when the first request has not ended within a second', async () => {
      const id = await resources.orderIn('placed');
      const other = await resources.beginWrite(id, { changes: false });
      const first = cancel(id)
        .set('Idempotency-Key', 'in-flight')
        .then(({ status }) => status);
      await resources.untilBlocked();

      const second = await cancel(id).set('Idempotency-Key', 'in-flight').expect(409);
      expect(second.text).toContain('/problems/idempotency-key-in-flight');
      await other.commit();
      expect(await first).toBe(201);
    });
  });
});

/** The status of an answer, and the kind of problem that it is. */
function outcomeOf({ status, text }: { readonly status: number; readonly text: string }): string {
  const [, kind = ''] = /problems\/([\w-]+)/.exec(text) ?? [];
  return `${status} ${kind}`.trim();
}
