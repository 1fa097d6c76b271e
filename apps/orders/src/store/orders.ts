import type { Database } from '@meridian/database';
import { identifiersAmong, isIdentifier } from '@meridian/subgraph';

import {
  type OrderStatus,
  refusalOf,
  type Transition,
  type TransitionRefusal,
} from '../orders/transition.ts';
import { insertCancellation } from './cancellations.ts';
import type { NewLineItem } from './line-items.ts';

/** An order as the graph shows it; what belongs to it is in tables of its own. */
export interface Order {
  readonly id: string;
  readonly status: OrderStatus;
  readonly customerId: string | null;
  /** RFC 3339, UTC, with microseconds. */
  readonly createdAt: string;
}

/** An order to be added. */
export interface NewOrder {
  readonly id: string;
  /** `placed`, when absent. */
  readonly status?: OrderStatus;
  readonly customerId: string | null;
  /** RFC 3339; now, when absent. */
  readonly createdAt?: string;
  readonly lineItems: readonly NewLineItem[];
}

/** Orders in PostgreSQL, one tenant's at a time. */
export interface OrderStore {
  /** The orders that exist among these identifiers, in no particular order. */
  findMany(tenantId: string, ids: readonly string[], signal: AbortSignal): Promise<Order[]>;
  /** The newest orders, newest first. */
  findNewest(tenantId: string, first: number, signal: AbortSignal): Promise<Order[]>;
  /** Adds orders with their line items, and answers those it has added; those that exist stay as they are. */
  insertMany(tenantId: string, orders: readonly NewOrder[], signal?: AbortSignal): Promise<Order[]>;
  /**
   * Takes an order to another status, and answers it as it then is, or why it stays as it was. The row is locked in
   * between, so that of two at once the second sees what the first did.
   */
  transition(
    tenantId: string,
    id: string,
    transition: Transition,
    signal: AbortSignal,
  ): Promise<Order | TransitionRefusal>;
}

export function createOrderStore(database: Database): OrderStore {
  const { knex } = database;
  const columns = { id: 'id', status: 'status', customerId: 'customer_id', createdAt: 'created_at' };

  return {
    findMany(tenantId, ids, signal) {
      const query = knex('orders')
        .select(columns)
        .where({ tenant_id: tenantId })
        .whereRaw('id = any (?::uuid[])', [identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal });
    },

    findNewest(tenantId, first, signal) {
      const query = knex('orders')
        .select(columns)
        .where({ tenant_id: tenantId })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(first);
      return database.asTenant(tenantId, query, { signal });
    },

    insertMany(tenantId, orders, signal) {
      const query = knex
        .with(
          'wanted',
          knex.raw('select value as row from jsonb_array_elements(?::jsonb)', [JSON.stringify(orders)]),
        )
        .with('added', knex.raw(insertOrders, [tenantId]))
        .with('items', knex.raw(insertLineItems, [tenantId]))
        .select(columns)
        .from('added');
      return database.asTenant(tenantId, query, { signal, readOnly: false });
    },

    async transition(tenantId, id, transition, signal) {
      if (!isIdentifier(id)) return 'order-not-found';
      const row = knex('orders').where({ tenant_id: tenantId, id });
      return database.transactionAsTenant(
        tenantId,
        async (transaction) => {
          const [order] = await transaction.run<Order>(row.clone().select(columns).forUpdate());
          if (order === undefined) return 'order-not-found';
          const refusal = refusalOf(order.status, transition.to);
          if (refusal !== undefined) return refusal;
          if (transition.to === 'cancelled') {
            await transaction.run(insertCancellation(knex, tenantId, id, transition.cancellation));
          }
          await transaction.run(
            row.clone().update({ status: transition.to, revision: knex.raw('revision + 1') }),
          );
          return { ...order, status: transition.to };
        },
        { signal },
      );
    },
  };
}

const insertOrders = `
  insert into orders (tenant_id, id, status, customer_id, created_at)
  select ?, (row ->> 'id')::uuid, coalesce(row ->> 'status', 'placed'), (row ->> 'customerId')::uuid,
    coalesce((row ->> 'createdAt')::timestamptz, clock_timestamp())
  from wanted
  on conflict do nothing
  returning *`;

const insertLineItems = `
  insert into line_items (tenant_id, order_id, position, product_id, quantity, unit_price_minor_units)
  select ?, added.id, item.position, (item.row ->> 'productId')::uuid, (item.row ->> 'quantity')::integer,
    (item.row ->> 'unitPriceMinorUnits')::integer
  from added
  join wanted on (wanted.row ->> 'id')::uuid = added.id
  cross join jsonb_array_elements(wanted.row -> 'lineItems') with ordinality as item (row, position)`;
