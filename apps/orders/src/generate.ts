// Fills a tenant of any size. May run again, also after an interruption: existing rows stay as they are.
import process from 'node:process';

import { exitOnBadEnvironment } from '@meridian/settings/environment';
import { generatedCustomers, generatedOrders, generatedPeople } from '@meridian/demo-data';
import { readGenerateConfig, runGenerator } from '@meridian/subgraph';

const { tenantId, size, ...config } = exitOnBadEnvironment(() => readGenerateConfig(process.env));

const orderColumns = ['tenant_id', 'id', 'status', 'customer_id', 'created_at'];
const itemColumns = ['tenant_id', 'order_id', 'position', 'product_id', 'quantity', 'unit_price_minor_units'];

/** Adds line items to new orders only: existing orders keep theirs. */
const mergeOrders = `
  with added as (
    insert into orders (${orderColumns.join(', ')})
    select ${orderColumns.join(', ')} from incoming_orders
    on conflict do nothing
    returning id
  )
  insert into line_items (${itemColumns.join(', ')})
  select ${itemColumns.join(', ')} from incoming_line_items
  where order_id in (select id from added)`;

await runGenerator(config, [
  {
    total: generatedPeople,
    batchOf: (range) => ({
      tables: [
        {
          table: 'customers',
          columns: ['tenant_id', 'id', 'name'],
          rows: generatedCustomers(tenantId, range).map(({ id, name }) => [tenantId, id, name]),
        },
      ],
    }),
  },
  {
    total: size.orders,
    batchOf(range) {
      const orders = generatedOrders(tenantId, range, size);
      return {
        tables: [
          {
            table: 'orders',
            columns: orderColumns,
            rows: orders.map(({ id, status, customerId, createdAt }) => [
              tenantId,
              id,
              status,
              customerId,
              createdAt,
            ]),
          },
          {
            table: 'line_items',
            columns: itemColumns,
            rows: orders.flatMap(({ id, lineItems }) =>
              lineItems.map((item, index) => [
                tenantId,
                id,
                index + 1,
                item.productId,
                item.quantity,
                item.unitPriceMinorUnits,
              ]),
            ),
          },
        ],
        merge: mergeOrders,
      };
    },
  },
]);
