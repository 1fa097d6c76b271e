import { callerOf, signalOf } from '@meridian/http';
import type { Operation } from '@meridian/rest/openapi';
import { acceptedType } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks, webhookMembers, webhookSchema } from '../../webhooks/webhook-schemas.ts';

const webhookPages = pagesOf('WebhookPage', webhookSchema);

export const listWebhooksOperation: Operation = {
  id: 'listWebhooks',
  summary: 'List webhooks',
  description: 'All webhooks of the tenant, in pages: newest first.',
  tag: 'Webhooks',
  scope: 'webhooks:read',
  parameters: pageParameters,
  responses: { 200: webhookPages.response },
  problems: ['invalid-cursor'],
};

/** `GET /webhooks`: pages by creation time, then identifier, both descending. */
export function listWebhooks(webhooks: WebhookStore, cursors: Cursors): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availableWebhooks);
    const page = await readPage({
      cursors,
      scope: { tenantId, collection: '/webhooks', filter: '' },
      requested: pageRequestOf(request, pageParameters),
      load: (after, limit) => webhooks.list(tenantId, { after, limit }, signalOf(request)),
      membersOf: webhookMembers,
    });
    webhookPages.send(request, response, page);
  };
}
