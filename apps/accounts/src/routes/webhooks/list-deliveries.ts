import { callerOf, signalOf } from '@meridian/http';
import type { Operation } from '@meridian/rest/openapi';
import { acceptedType } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';
import type { RequestHandler } from 'express';

import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import { webhookNotFound } from '../../store/webhook-store.ts';
import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks, deliveryMembers, deliverySchema } from '../../webhooks/webhook-schemas.ts';
import { webhookIdParameter } from './get-webhook.ts';

const deliveryPages = pagesOf('DeliveryPage', deliverySchema);

export const listDeliveriesOperation: Operation = {
  id: 'listWebhookDeliveries',
  summary: "List a webhook's deliveries",
  description: 'One for each event, in pages: newest first. Kept for 30 days.',
  tag: 'Webhooks',
  scope: 'webhooks:read',
  parameters: [webhookIdParameter, ...pageParameters],
  responses: { 200: deliveryPages.response },
  problems: ['webhook-not-found', 'invalid-cursor'],
};

/** `GET /webhooks/:id/deliveries`: pages by identifier, descending, which is the order of creation. */
export function listDeliveries(webhooks: WebhookStore, cursors: Cursors): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availableWebhooks);
    const { id } = request.params;
    const requested = pageRequestOf(request, pageParameters);
    if ((await webhooks.find(tenantId, id, signalOf(request))) === undefined) {
      throw webhookNotFound(id);
    }
    const page = await readPage({
      cursors,
      scope: { tenantId, collection: `/webhooks/${id}/deliveries`, filter: '' },
      requested,
      load: (after, limit) => webhooks.listDeliveries(tenantId, id, { after, limit }, signalOf(request)),
      membersOf: deliveryMembers,
    });
    deliveryPages.send(request, response, page);
  };
}
