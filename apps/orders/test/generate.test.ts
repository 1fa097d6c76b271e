import { describe, expect, it } from '@jest/globals';
import { startSubgraph, useStarted } from '@meridian/subgraph/test-support';
import { runScript } from '@meridian/testing';

import { createApp } from '../src/app.ts';

describe('The generator of orders', () => {
  const orders = useStarted(() =>
    startSubgraph({ createApp, migrations: new URL('../migrations/', import.meta.url) }),
  );

  const read = (sql: string) =>
    orders.database.asTenant('big', orders.database.knex.raw(sql), { readOnly: true });

  /** Each order with its products, as text. */
  async function ordersOf(products: number, total: number): Promise<object[]> {
    const { stderr } = await runScript(new URL('../src/generate.ts', import.meta.url), {
      DATABASE_URL: orders.adminUrl,
      GENERATE_TENANT: 'big',
      GENERATE_PRODUCTS: `${products}`,
      GENERATE_REVIEWS: '0',
      GENERATE_ORDERS: `${total}`,
    });
    expect(stderr).toBe('');
    return await read(
      `select orders.id, customers.name, string_agg(product_id::text, ' ' order by position) as products
       from orders
       join customers on customers.tenant_id = orders.tenant_id and customers.id = customer_id
       join line_items on line_items.tenant_id = orders.tenant_id and order_id = orders.id
       where orders.tenant_id = 'big'
       group by orders.id, orders.created_at, customers.name order by orders.created_at`,
    );
  }

  it('adds orders, and leaves existing ones with their products', async () => {
    const before = await ordersOf(50, 20);
    expect(before).toHaveLength(20);
    const after = await ordersOf(5000, 30);
    expect(after).toHaveLength(30);
    expect(after.slice(0, 20)).toEqual(before);
  });
});
