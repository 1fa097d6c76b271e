import type { Database } from '@meridian/database';
import type { Knex } from 'knex';

import type { NewCancellation } from '../orders/transition.ts';

/** The statement that keeps what is to be known of a cancellation. It runs in the transaction that cancels the order. */
export function insertCancellation(
  knex: Database['knex'],
  tenantId: string,
  orderId: string,
  { id, reason, actorIssuer, actor }: NewCancellation,
): Knex.QueryBuilder {
  return knex('cancellations').insert({
    tenant_id: tenantId,
    order_id: orderId,
    id,
    reason,
    actor_issuer: actorIssuer,
    actor,
  });
}
