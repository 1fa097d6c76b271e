import type { TenantTransaction } from '@meridian/database';
import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';
import { createIdentifier } from '@meridian/subgraph';

import {
  availableCancellations,
  cancellationMembers,
  cancellationSchema,
  newCancellationSchema,
} from '../../orders/cancellation-schemas.ts';
import { orderIdParameter } from '../../orders/order-schemas.ts';
import { transitionProblem } from '../../orders/transition-problem.ts';
import type { OrderStore } from '../../store/order-store.ts';

/**
 * `POST /orders/:id/cancellations`: the end of an order, with its actor and its reason. Spec: Resource conventions,
 * "State transition with persisted attributes".
 */
export function postCancellation(
  orders: OrderStore,
  idempotentWrite: IdempotentWrite<TenantTransaction>,
): Route {
  return creationRoute(
    {
      id: 'createCancellation',
      summary: 'Cancel an order',
      description:
        'For an order that is placed or paid. The `sub` of the token is recorded as the actor. The `ETag` of the order changes.',
      tag: 'Cancellations',
      scope: 'orders:write',
      parameters: [orderIdParameter],
      body: newCancellationSchema,
      created: {
        description: 'The order was cancelled.',
        location: 'The path of the cancellation.',
        schema: cancellationSchema,
      },
      problems: ['order-not-found', 'order-already-cancelled', 'invalid-transition'],
    },
    { available: availableCancellations, idempotentWrite },
    async (transaction, { value, caller: { tenantId, issuer, subject }, params: { id: orderId } }) => {
      const outcome = await orders.cancelIn(
        tenantId,
        orderId,
        { id: createIdentifier(), reason: value.reason, actorIssuer: issuer, actor: subject },
        transaction,
      );
      if (typeof outcome === 'string') {
        throw transitionProblem(outcome, orderId);
      }
      const { cancellation } = outcome;
      return {
        location: `/orders/${orderId}/cancellations/${cancellation.id}`,
        made: cancellationMembers(cancellation),
      };
    },
  );
}
