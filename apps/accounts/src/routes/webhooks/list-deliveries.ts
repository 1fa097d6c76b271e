import { callerOf, signalOf } from '@meridian/http';
import { route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';

import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import { webhookNotFound } from '../../store/webhook-store.ts';
import type { WebhookStore } from '../../store/webhook-store.ts';
import { deliverySchema } from '../../webhooks/delivery.ts';
import { availableWebhooks } from '../../webhooks/webhook.ts';
import { webhookIdParameter } from './get-webhook.ts';

const deliveryPages = pagesOf('DeliveryPage', deliverySchema);

/** `GET /webhooks/:id/deliveries`: pages by identifier, descending, which is the order of creation. */
export function listDeliveries(webhooks: WebhookStore, cursors: Cursors): Route {
  return route<{ id: string }>(
    {
      id: 'listWebhookDeliveries',
      summary: "List a webhook's deliveries",
      description: 'One for each event, in pages: newest first. Kept for 30 days.',
      tag: 'Webhooks',
      scope: 'webhooks:read',
      parameters: [webhookIdParameter, ...pageParameters],
      responses: { 200: deliveryPages.response },
      problems: ['webhook-not-found', 'invalid-cursor'],
    },
    async (request, response) => {
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
        load: (start) => webhooks.listDeliveries(tenantId, id, start, signalOf(request)),
      });
      deliveryPages.send(request, response, page);
    },
  );
}
