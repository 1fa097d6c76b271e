import type { Database, StopSignal } from '@meridian/database';
import { identifiersAmong, isIdentifier } from '@meridian/subgraph';
import type { Knex } from 'knex';

import type { Cancellation, NewCancellation } from '../orders/cancellation.ts';

export type CancellationStore = ReturnType<typeof createCancellationStore>;

/** Cancellations in PostgreSQL, one tenant's at a time. The store of orders adds them. */
export function createCancellationStore(database: Database) {
  const { knex } = database;

  return {
    /** The cancellations of these orders, in no particular order; none for an order that is not cancelled. */
    findByOrders: (
      tenantId: string,
      orderIds: readonly string[],
      signal: StopSignal,
    ): Promise<Cancellation[]> => {
      const query = knex('cancellations')
        .select(columns)
        .where({ tenant_id: tenantId })
        .whereRaw('order_id = any (?::uuid[])', [identifiersAmong(orderIds)]);
      return database.asTenant(tenantId, query, { signal });
    },

    /** The order's cancellation with this identifier. */
    async find(
      tenantId: string,
      { orderId, id }: { readonly orderId: string; readonly id: string },
      signal: StopSignal,
    ): Promise<Cancellation | undefined> {
      if (!isIdentifier(orderId) || !isIdentifier(id)) {
        return undefined;
      }
      const query = knex('cancellations')
        .select(columns)
        .where({ tenant_id: tenantId, order_id: orderId, id });
      const [cancellation] = await database.asTenant<Cancellation>(tenantId, query, { signal });
      return cancellation;
    },
  };
}

const columns = {
  orderId: 'order_id',
  id: 'id',
  reason: 'reason',
  actorIssuer: 'actor_issuer',
  actor: 'actor',
  createdAt: 'created_at',
};

/**
 * The statement that records a cancellation, and returns its time. It runs in the transaction that cancels the order.
 */
export function insertCancellation(
  knex: Database['knex'],
  tenantId: string,
  orderId: string,
  { id, reason, actorIssuer, actor }: NewCancellation,
): Knex.QueryBuilder {
  return knex('cancellations')
    .insert({ tenant_id: tenantId, order_id: orderId, id, reason, actor_issuer: actorIssuer, actor })
    .returning('created_at as createdAt');
}
