import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType } from '@meridian/rest';

import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks } from '../../webhooks/webhook.ts';
import { webhookIdParameter } from './get-webhook.ts';

/** `DELETE /webhooks/:id`. */
export function deleteWebhook(webhooks: WebhookStore): Route {
  return route<{ id: string }>(
    {
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'With its secrets and its deliveries. An attempt under way may still arrive.',
      tag: 'Webhooks',
      scope: 'webhooks:write',
      parameters: [webhookIdParameter],
      responses: {
        204: {
          description: 'The webhook is deleted.',
          headers: [cacheControlHeader(privateCacheControl)],
        },
      },
      problems: ['webhook-not-found'],
    },
    async (request, response) => {
      acceptedType(request, availableWebhooks);
      await webhooks.remove(callerOf(request).tenantId, request.params.id, signalOf(request));
      sendResponse(request, response, { status: 204, headers: { 'Cache-Control': privateCacheControl } });
    },
  );
}
