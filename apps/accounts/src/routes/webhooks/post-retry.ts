import { createdResponse, idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import { createdDescription, identifierParameter } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';

import { createWebhookStore } from '../../store/webhook-store.ts';
import {
  availableWebhooks,
  deliveryMembers,
  deliverySchema,
  newRetrySchema,
} from '../../webhooks/webhook-schemas.ts';
import { webhookIdParameter } from './get-webhook.ts';

const newRetry = { 'application/json': newRetrySchema };

const deliveryIdParameter = identifierParameter('did', 'delivery');

export const postRetryOperation: Operation = {
  id: 'retryWebhookDelivery',
  summary: 'Send an event again',
  description:
    'At once, whatever came of it before. If this attempt fails too, the schedule goes on after the attempts so far.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  parameters: [webhookIdParameter, deliveryIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newRetry,
  bodyIsOptional: true,
  responses: {
    201: createdDescription('The delivery is due.', "The path of the webhook's deliveries.", deliverySchema),
  },
  problems: ['webhook-not-found', 'delivery-not-found', 'webhook-disabled'],
};

/** `POST /webhooks/:id/deliveries/:did/retries`. */
export function postRetry(
  idempotentWrite: IdempotentWrite<Statements>,
): RequestHandler<{ id: string; did: string }> {
  return postCreation(
    { available: availableWebhooks, body: newRetry, bodyIsOptional: true, idempotentWrite },
    async (statements, { caller, params: { id, did }, signal }) => {
      const webhooks = createWebhookStore(statements);
      const delivery = await webhooks.retryDelivery(caller.tenantId, id, did, signal);
      return createdResponse(`/webhooks/${id}/deliveries`, deliverySchema.write(deliveryMembers(delivery)));
    },
  );
}
