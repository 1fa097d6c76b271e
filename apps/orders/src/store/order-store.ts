import type { Database, StopSignal, TenantTransaction } from '@meridian/database';
import type { Actor } from '@meridian/events';
import { identifiersAmong, isIdentifier } from '@meridian/subgraph';

import type { Cancellation, NewCancellation } from '../orders/cancellation.ts';
import type { CancelledOrder, NewOrder, Order, OrderRevision } from '../orders/order.ts';
import { faultOf } from '../orders/transition.ts';
import type { OpenStatus, OrderStatus, TransitionFault } from '../orders/transition.ts';
import { insertCancellation } from './cancellation-store.ts';

export type OrderStore = ReturnType<typeof createOrderStore>;

/** Orders in PostgreSQL, one tenant's at a time. */
export function createOrderStore(database: Database) {
  const { knex } = database;
  const columns = { id: 'id', status: 'status', customerId: 'customer_id', createdAt: 'created_at' };
  const revisionColumns = {
    ...columns,
    revision: 'revision',
    storeEpoch: knex.raw('(select epoch from store_epoch)'),
  };

  const rowOf = (tenantId: string, id: string) => knex('orders').where({ tenant_id: tenantId, id });

  /**
   * The order, locked until the transaction ends: of two transitions at once, the second sees the result of the first.
   */
  async function lock(
    tenantId: string,
    id: string,
    transaction: TenantTransaction,
  ): Promise<OrderRevision | undefined> {
    if (!isIdentifier(id)) {
      return undefined;
    }
    const query = rowOf(tenantId, id).select(revisionColumns).forUpdate();
    const [order] = await transaction.run<OrderRevision>(query);
    return order;
  }

  /** The same as `cancel`, as a part of a transaction of the tenant. */
  async function cancelIn(
    tenantId: string,
    id: string,
    cancellation: NewCancellation,
    transaction: TenantTransaction,
  ): Promise<CancelledOrder | TransitionFault> {
    const actor = { issuer: cancellation.actorIssuer, subject: cancellation.actor };
    const order = await move(
      tenantId,
      await lock(tenantId, id, transaction),
      'cancelled',
      actor,
      transaction,
    );
    if (typeof order === 'string') {
      return order;
    }
    const [kept] = await transaction.run<Pick<Cancellation, 'createdAt'>>(
      insertCancellation(knex, tenantId, id, cancellation),
    );
    if (kept === undefined) {
      throw new Error('a cancellation was not recorded');
    }
    return { order, cancellation: { ...cancellation, ...kept, orderId: id } };
  }

  return {
    /** The order with this identifier. */
    async find(tenantId: string, id: string, signal: StopSignal): Promise<OrderRevision | undefined> {
      if (!isIdentifier(id)) {
        return undefined;
      }
      const query = rowOf(tenantId, id).select(revisionColumns);
      const [order] = await database.asTenant<OrderRevision>(tenantId, query, { signal });
      return order;
    },

    /** The orders that exist among these identifiers, in no particular order. */
    findMany: (tenantId: string, ids: readonly string[], signal: StopSignal): Promise<Order[]> => {
      const query = knex('orders')
        .select(columns)
        .where({ tenant_id: tenantId })
        .whereRaw('id = any (?::uuid[])', [identifiersAmong(ids)]);
      return database.asTenant(tenantId, query, { signal });
    },

    /** The newest orders, newest first. */
    findNewest(tenantId: string, first: number, signal: StopSignal): Promise<Order[]> {
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

    /**
     * Adds orders with their line items, and returns the added ones; existing orders stay as they are.
     *
     * @param by absent for demo data
     */
    insertMany(
      tenantId: string,
      orders: readonly NewOrder[],
      by?: { readonly actor: Actor; readonly signal: StopSignal },
    ): Promise<Order[]> {
      const { issuer, subject } = by?.actor ?? { issuer: null, subject: null };
      return database.query(addOrders, [tenantId, JSON.stringify(orders), issuer, subject], {
        tenantId,
        signal: by?.signal,
      });
    },

    /** Cancels an order. Returns the order with its cancellation, or the reason why it keeps its status. */
    cancel(
      tenantId: string,
      id: string,
      cancellation: NewCancellation,
      signal: StopSignal,
    ): Promise<CancelledOrder | TransitionFault> {
      return database.transactionAsTenant(
        tenantId,
        (transaction) => cancelIn(tenantId, id, cancellation, transaction),
        { signal },
      );
    },

    cancelIn,

    /**
     * Moves an order to a status, if it still has `expected`'s revision. Returns the changed order, or the reason why it
     * keeps its status. `'conflict'`: another writer was first.
     */
    advance(
      tenantId: string,
      expected: OrderRevision,
      to: OpenStatus,
      { actor, signal }: { readonly actor: Actor; readonly signal: StopSignal },
    ): Promise<OrderRevision | TransitionFault | 'conflict'> {
      return database.transactionAsTenant(
        tenantId,
        async (transaction) => {
          const order = await lock(tenantId, expected.id, transaction);
          return order?.revision === expected.revision
            ? move(tenantId, order, to, actor, transaction)
            : 'conflict';
        },
        { signal },
      );
    },
  };
}

/** Moves a locked order to another status, and logs the event. Every change of a status is made here. */
async function move(
  tenantId: string,
  order: OrderRevision | undefined,
  to: OrderStatus,
  { issuer, subject }: Actor,
  transaction: TenantTransaction,
): Promise<OrderRevision | TransitionFault> {
  if (order === undefined) {
    return 'order-not-found';
  }
  const fault = faultOf(order.status, to);
  if (fault !== undefined) {
    return fault;
  }
  await transaction.query('select move_order($1, $2, $3, $4, $5)', [tenantId, order.id, to, issuer, subject]);
  return { ...order, status: to, revision: order.revision + 1n };
}

const addOrders = `
  select id, status, customer_id as "customerId", created_at as "createdAt" from add_orders($1, $2, $3, $4)`;
