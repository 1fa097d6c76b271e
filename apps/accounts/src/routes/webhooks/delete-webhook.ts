import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { acceptedType } from '@meridian/rest';
import type { RequestHandler } from 'express';

import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks } from '../../webhooks/webhook-schemas.ts';
import { webhookIdParameter } from './get-webhook.ts';

export const deleteWebhookOperation: Operation = {
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
};

/** `DELETE /webhooks/:id`. */
export function deleteWebhook(webhooks: WebhookStore): RequestHandler<{ id: string }> {
  return async (request, response) => {
    acceptedType(request, availableWebhooks);
    await webhooks.remove(callerOf(request).tenantId, request.params.id, signalOf(request));
    sendResponse(request, response, { status: 204, headers: { 'Cache-Control': privateCacheControl } });
  };
}
