import type { Database } from '@meridian/database';
import { identifiersAmong } from '@meridian/subgraph';

import type { LineItem, Recommendation } from '../orders/line-item.ts';

/** Line items in PostgreSQL, one tenant's at a time. The store of orders adds them. */
export function createLineItemStore(database: Database) {
  const { knex } = database;

  return {
    /** The line items of these orders. Within one order, they keep its sequence. */
    findByOrders: (
      tenantId: string,
      orderIds: readonly string[],
      signal: AbortSignal,
    ): Promise<LineItem[]> => {
      const query = knex('line_items')
        .select({
          orderId: 'order_id',
          productId: 'product_id',
          quantity: 'quantity',
          unitPriceMinorUnits: 'unit_price_minor_units',
        })
        .where({ tenant_id: tenantId })
        .whereRaw('order_id = any (?::uuid[])', [identifiersAmong(orderIds)])
        .orderBy(['order_id', 'position']);
      return database.asTenant(tenantId, query, { signal });
    },

    /** For each of these orders at most 5 products that other orders combine with its own, the most frequent first. */
    findOrderedTogether: (
      tenantId: string,
      orderIds: readonly string[],
      signal: AbortSignal,
    ): Promise<Recommendation[]> => {
      const query = knex.raw(orderedTogether, { tenantId, orderIds: identifiersAmong(orderIds) });
      return database.asTenant(tenantId, query, { signal, readOnly: true });
    },
  };
}

/** Looks at the 50 latest orders of each product, so that the most popular product costs no more than any other. */
const orderedTogether = `
  select wanted.order_id as "orderId", together.product_id as "productId"
  from unnest(:orderIds::uuid[]) as wanted (order_id)
  cross join lateral (
    select other.product_id, count(*) as times
    from line_items own
    cross join lateral (
      select order_id from line_items
      where tenant_id = :tenantId and product_id = own.product_id and order_id <> wanted.order_id
      order by order_id desc
      limit 50
    ) recent
    join line_items other on other.tenant_id = :tenantId and other.order_id = recent.order_id
    where own.tenant_id = :tenantId and own.order_id = wanted.order_id
      and not exists (
        select from line_items
        where tenant_id = :tenantId and order_id = wanted.order_id and product_id = other.product_id
      )
    group by other.product_id
    order by times desc, other.product_id
    limit 5
  ) together
  order by wanted.order_id, together.times desc, together.product_id`;
