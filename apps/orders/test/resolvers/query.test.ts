import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { demoOrders } from '@meridian/demo-data';

import { startOrders } from '../start-orders.ts';

const acme = demoOrders('acme');
const globex = demoOrders('globex');

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => ({ id }));

describe('Query of orders', () => {
  const orders = useStarted(() => startOrders());

  it.each([
    ['an order of the tenant', acme[0]?.id, { id: acme[0]?.id }],
    ['another tenant’s order', globex[0]?.id, null],
    ['an order that does not exist', '01900000-0000-7000-8000-000000000000', null],
    ['a malformed identifier', '\0', null],
  ])('order answers for %s, without an error', async (_what, id, order) => {
    expect(await orders.ask('query Order($id: ID!) { order(id: $id) { id } }', { id })).toEqual({
      data: { order },
    });
  });

  it.each(['orders', 'orders(first: null)'])('%s shows the 20 newest, newest first', async (field) => {
    expect(await orders.ask(`{ ${field} { id } }`)).toEqual({
      data: { orders: idsOf(acme.toReversed().slice(0, 20)) },
    });
  });

  it.each([0, 1, 100])('orders shows as many as first says: %i', async (first) => {
    expect(await orders.ask(`{ orders(first: ${first}) { id } }`)).toEqual({
      data: { orders: idsOf(acme.toReversed().slice(0, first)) },
    });
  });

  it.each([-1, 101])('orders refuses a page of %i', async (first) => {
    const { errors } = await orders.ask(`{ orders(first: ${first}) { id } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'PAGE_SIZE_LIMIT' } }]);
  });

  it("orders shows only the tenant's own orders", async () => {
    const { data } = await orders.ask('{ orders(first: 100) { id } }', {}, { tenant: 'globex' });
    expect(data).toEqual({ orders: idsOf(globex.toReversed()) });
  });

  it.each(['order(id: "1")', 'orders'])('%s needs the scope orders:read', async (field) => {
    const { errors } = await orders.ask(`{ field: ${field} { id } }`, {}, { scopes: ['orders:write'] });
    expect(errors).toMatchObject([{ path: ['field'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }]);
  });

  it.each(['orders', 'line_items', 'customers'])(
    "%s uses statements that show no other tenant's rows even without a tenant condition",
    async (table) => {
      expect(await orders.tenantsSeenIn(table)).toEqual([]);
      expect(await orders.tenantsSeenIn(table, 'acme')).toEqual(['acme']);
      expect(await orders.tenantsSeenIn(table, 'globex')).toEqual(['globex']);
    },
  );

  it('sends four statements for a page with all its fields, however many orders there are', async () => {
    const page = (first: number) => () =>
      orders.ask(
        `{ orders(first: ${first}) { id lineItems { quantity } recommendations { id } customer { name } } }`,
      );
    expect(await orders.counting(page(5))).toMatchObject({ statements: 4 });
    expect(await orders.counting(page(100))).toMatchObject({ statements: 4 });
  });
});
