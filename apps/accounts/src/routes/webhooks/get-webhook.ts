import { callerOf, signalOf } from '@meridian/http';
import { identifierParameter, jsonDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { acceptedType, sendJson } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { webhookNotFound } from '../../store/webhook-store.ts';
import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks, webhookSchema, writeWebhook } from '../../webhooks/webhook-schemas.ts';

export const webhookIdParameter = identifierParameter('id', 'webhook');

export const getWebhookOperation: Operation = {
  id: 'getWebhook',
  summary: 'Read a webhook',
  description: 'Without its secret, which is shown once only.',
  tag: 'Webhooks',
  scope: 'webhooks:read',
  parameters: [webhookIdParameter],
  responses: {
    200: jsonDescription('The webhook.', webhookSchema),
  },
  problems: ['webhook-not-found'],
};

/** `GET` and `HEAD /webhooks/:id`. */
export function getWebhook(webhooks: WebhookStore): RequestHandler<{ id: string }> {
  return async (request, response) => {
    acceptedType(request, availableWebhooks);
    const { id } = request.params;
    const webhook = await webhooks.find(callerOf(request).tenantId, id, signalOf(request));
    if (webhook === undefined) {
      throw webhookNotFound(id);
    }
    sendJson(request, response, writeWebhook(webhook));
  };
}
