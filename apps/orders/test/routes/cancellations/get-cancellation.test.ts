import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { createIdentifier } from '@meridian/subgraph';

import { startResources } from '../../start-resources.ts';

describe('GET /orders/:id/cancellations/:cid', () => {
  const resources = useStarted(() => startResources());
  let orderId: string;
  let path: string;
  beforeAll(async () => {
    orderId = await resources.orderIn('paid');
    const response = await resources.alice
      .post(`/orders/${orderId}/cancellations`)
      .send('{"reason":"ordered twice"}')
      .expect(201);
    path = response.headers['location'] ?? '';
  });

  it('answers 200 with the cancellation', async () => {
    const response = await resources.alice.get(path).expect(200);
    expect(JSON.parse(response.text)).toEqual({
      id: path.split('/').at(-1),
      order_id: orderId,
      reason: 'ordered twice',
      actor: 'alice',
      created_at: expect.any(String),
    });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, max-age=0, must-revalidate',
    });
    await resources.alice.head(path).expect(200);
  });

  it('answers a cancellation made through the graph, with line breaks in its reason', async () => {
    const id = await resources.orderIn('placed');
    const { data } = await resources.ask(
      `mutation Cancel($id: ID!, $reason: String!) {
        cancelOrder(id: $id, reason: $reason) { cancellation { id reason createdAt } }
      }`,
      { id, reason: 'too\nslow' },
    );
    const { cancellation } = Object(data?.['cancelOrder']);
    const response = await resources.alice.get(`/orders/${id}/cancellations/${cancellation.id}`).expect(200);
    expect(JSON.parse(response.text)).toEqual({
      id: cancellation.id,
      order_id: id,
      reason: 'too\nslow',
      actor: 'alice',
      created_at: cancellation.createdAt,
    });
  });

  it.each([
    ['of another order', async () => path.replace(orderId, await resources.orderIn('placed'))],
    ['that does not exist', async () => `/orders/${orderId}/cancellations/${createIdentifier()}`],
    ['whose identifier is malformed', async () => `/orders/${orderId}/cancellations/c1`],
    ['of an order whose identifier is malformed', async () => path.replace(orderId, 'o1')],
  ])('answers 404 cancellation-not-found for one %s', async (_which, pathOf) => {
    const response = await resources.alice.get(await pathOf()).expect(404);
    expect(response.text).toContain('/problems/cancellation-not-found');
  });

  it("answers another tenant's cancellation exactly like an absent one", async () => {
    const globex = await resources.client({ tenant: 'globex' });
    const absentPath = path.replace(/[^/]+$/, createIdentifier());
    const idOf = (address: string) => address.split('/').at(-1) ?? '';

    const foreign = await globex.get(path).expect(404);
    const absent = await globex.get(absentPath).expect(404);

    expect(foreign.text.replace(idOf(path), idOf(absentPath))).toBe(absent.text);
  });

  it('answers 406 not-acceptable to a client that does not accept JSON', async () => {
    await resources.alice.get(path).set('Accept', 'text/html').expect(406);
  });
});
