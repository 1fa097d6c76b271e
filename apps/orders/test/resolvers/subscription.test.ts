import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { eventually } from '@meridian/testing';

import { startResources } from '../start-resources.ts';

const document =
  'subscription OrderChanged($id: ID!) { orderChanged(id: $id) { id status cancellation { reason } } }';

describe('Subscription.orderChanged', () => {
  const orders = useStarted(() => startResources());

  const follow = async (id: string, extensions = {}, who = {}) =>
    orders.subscribe({ query: document, variables: { id }, extensions }, who);
  const advance = async (id: string, status: string) =>
    orders.patch(id, await orders.etagOf(id), status).expect(200);
  const statuses = ({ results }: Awaited<ReturnType<typeof follow>>) =>
    results.map(({ data }) => (data?.['orderChanged'] as { status: string } | undefined)?.status);

  it('shows the order after each change of it, by REST and by the graph, and no other order', async () => {
    const [id, other] = [await orders.orderIn('placed'), await orders.orderIn('placed')];
    const stream = await follow(id, { resumeAfter: await firstCursorOf(id) });
    await advance(other, 'paid');
    await advance(id, 'paid');
    await orders.ask(`mutation { cancelOrder(id: "${id}", reason: "too late") { id } }`);
    await eventually(() => expect(statuses(stream)).toEqual(['PAID', 'CANCELLED']));
    expect(stream.results[1]?.data).toEqual({
      orderChanged: { id, status: 'CANCELLED', cancellation: { reason: 'too late' } },
    });
    stream.leave();
  });

  it('goes on after a cursor, and misses nothing that happened meanwhile', async () => {
    const id = await orders.orderIn('placed');
    const first = await follow(id, { resumeAfter: await firstCursorOf(id) });
    await advance(id, 'paid');
    await eventually(() => expect(statuses(first)).toEqual(['PAID']));
    first.leave();
    await advance(id, 'shipped');
    const second = await follow(id, { resumeAfter: first.results[0]?.extensions?.cursor });
    await advance(id, 'delivered');
    await eventually(() => expect(statuses(second)).toEqual(['SHIPPED', 'DELIVERED']));
    second.leave();
  });

  it.each([
    ['an order of another tenant', { tenant: 'globex' }, 'NOT_FOUND'],
    ['a caller without orders:read', { scopes: ['orders:write'] }, 'UNAUTHORIZED_FIELD_OR_TYPE'],
  ])('is rejected for %s', async (_what, who, code) => {
    const stream = await follow(await orders.orderIn('placed'), {}, who);
    expect(await stream.ended).toMatchObject([{ extensions: { code } }]);
  });

  it.each([
    ['a text that is not an identifier', 'o1', {}, 'BAD_USER_INPUT'],
    ['an order that does not exist', '01900000-0000-7000-8000-000000000000', {}, 'NOT_FOUND'],
  ])('is rejected for %s', async (_what, id, extensions, code) => {
    const stream = await follow(id, extensions);
    expect(await stream.ended).toMatchObject([{ extensions: { code } }]);
  });

  it('is rejected for a cursor of another order', async () => {
    const [id, other] = [await orders.orderIn('placed'), await orders.orderIn('placed')];
    const stream = await follow(id, { resumeAfter: await firstCursorOf(other) });
    expect(await stream.ended).toMatchObject([{ extensions: { code: 'INVALID_CURSOR' } }]);
  });

  /** The cursor of the event that placed an order. REST and the graph have the same cursors. */
  async function firstCursorOf(id: string): Promise<string> {
    const { text } = await orders.alice.get(`/events?subject=/orders/${id}&limit=1`).expect(200);
    return (JSON.parse(text) as { next_cursor: string }).next_cursor;
  }
});
