import { callerOf, signalOf } from '@meridian/http';
import { identifierParameter, jsonDescription, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, sendJson } from '@meridian/rest';

import { webhookNotFound } from '../../store/webhook-store.ts';
import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks, webhookSchema } from '../../webhooks/webhook.ts';

export const webhookIdParameter = identifierParameter('id', 'webhook');

/** `GET` and `HEAD /webhooks/:id`. */
export function getWebhook(webhooks: WebhookStore): Route {
  return route<{ id: string }>(
    {
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
    },
    async (request, response) => {
      acceptedType(request, availableWebhooks);
      const { id } = request.params;
      const webhook = await webhooks.find(callerOf(request).tenantId, id, signalOf(request));
      if (webhook === undefined) {
        throw webhookNotFound(id);
      }
      sendJson(request, response, webhookSchema.write(webhook));
    },
  );
}
