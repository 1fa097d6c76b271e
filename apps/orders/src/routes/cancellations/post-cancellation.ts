import type { TenantTransaction } from '@meridian/database';
import { createdResponse, idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { IdempotentWrite } from '@meridian/rest';
import { createdDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { createIdentifier } from '@meridian/subgraph';
import type { RequestHandler } from 'express';

import {
  availableCancellations,
  cancellationSchema,
  newCancellationSchema,
  writeCancellation,
} from '../../orders/cancellation-schemas.ts';
import { orderIdParameter } from '../../orders/order-schemas.ts';
import { transitionProblem } from '../../orders/transition-problem.ts';
import type { OrderStore } from '../../store/order-store.ts';

const newCancellation = { 'application/json': newCancellationSchema };

export const postCancellationOperation: Operation = {
  id: 'createCancellation',
  summary: 'Cancel an order',
  description:
    'For an order that is placed or paid. The `sub` of the token is recorded as the actor. The `ETag` of the order changes.',
  tag: 'Cancellations',
  scope: 'orders:write',
  parameters: [orderIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newCancellation,
  responses: {
    201: createdDescription('The order was cancelled.', 'The path of the cancellation.', cancellationSchema),
  },
  problems: ['order-not-found', 'order-already-cancelled', 'invalid-transition'],
};

/**
 * `POST /orders/:id/cancellations`: the end of an order, with its actor and its reason. Spec: Resource conventions,
 * "State transition with persisted attributes".
 */
export function postCancellation(
  orders: OrderStore,
  idempotentWrite: IdempotentWrite<TenantTransaction>,
): RequestHandler<{ id: string }> {
  return postCreation(
    { available: availableCancellations, body: newCancellation, idempotentWrite },
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
      return createdResponse(
        `/orders/${orderId}/cancellations/${cancellation.id}`,
        writeCancellation(cancellation),
      );
    },
  );
}
