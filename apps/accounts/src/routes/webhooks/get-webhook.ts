import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader } from '@meridian/rest/openapi';
import type { Operation, ParameterDescription } from '@meridian/rest/openapi';
import { acceptedType } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { webhookNotFound } from '../../store/webhook-store.ts';
import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks, webhookSchema, writeWebhook } from '../../webhooks/webhook-schemas.ts';

export const webhookIdParameter: ParameterDescription = {
  name: 'id',
  in: 'path',
  isRequired: true,
  description: 'The identifier of the webhook.',
  schema: { type: 'string', format: 'uuid' },
};

export const getWebhookOperation: Operation = {
  id: 'getWebhook',
  summary: 'Read a webhook',
  description: 'Without its secret, which is shown once only.',
  tag: 'Webhooks',
  scope: 'webhooks:read',
  parameters: [webhookIdParameter],
  responses: {
    200: {
      description: 'The webhook.',
      headers: [cacheControlHeader(privateCacheControl)],
      content: { 'application/json': webhookSchema },
    },
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
    sendResponse(request, response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': privateCacheControl },
      body: writeWebhook(webhook),
    });
  };
}
