import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import { identifierParameter } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';

import { createWebhookStore } from '../../store/webhook-store.ts';
import { deliverySchema, newRetrySchema } from '../../webhooks/delivery.ts';
import { availableWebhooks } from '../../webhooks/webhook.ts';

/** `POST /webhooks/:id/deliveries/:did/retries`. */
export function postRetry(idempotentWrite: IdempotentWrite<Statements>): Route {
  return creationRoute(
    {
      id: 'retryWebhookDelivery',
      summary: 'Send an event again',
      description:
        'At once, whatever came of it before. If this attempt fails too, the schedule goes on after the attempts so far.',
      tag: 'Webhooks',
      scope: 'webhooks:write',
      parameters: [identifierParameter('id', 'webhook'), identifierParameter('did', 'delivery')],
      body: newRetrySchema,
      bodyIsOptional: true,
      created: {
        description: 'The delivery is due.',
        location: "The path of the webhook's deliveries.",
        schema: deliverySchema,
      },
      problems: ['webhook-not-found', 'delivery-not-found', 'webhook-disabled'],
    },
    { available: availableWebhooks, idempotentWrite },
    async (statements, { caller: { tenantId }, params: { id, did }, signal }) => ({
      location: `/webhooks/${id}/deliveries`,
      made: await createWebhookStore(statements).retryDelivery(tenantId, id, did, signal),
    }),
  );
}
