import { callerOf, signalOf } from '@meridian/http';
import { route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';

import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks, webhookSchema } from '../../webhooks/webhook.ts';

const webhookPages = pagesOf('WebhookPage', webhookSchema);

/** `GET /webhooks`: pages by creation time, then identifier, both descending. */
export function listWebhooks(webhooks: WebhookStore, cursors: Cursors): Route {
  return route(
    {
      id: 'listWebhooks',
      summary: 'List webhooks',
      description: 'All webhooks of the tenant, in pages: newest first.',
      tag: 'Webhooks',
      scope: 'webhooks:read',
      parameters: pageParameters,
      responses: { 200: webhookPages.response },
      problems: ['invalid-cursor'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      acceptedType(request, availableWebhooks);
      const page = await readPage({
        cursors,
        scope: { tenantId, collection: '/webhooks', filter: '' },
        requested: pageRequestOf(request, pageParameters),
        load: (start) => webhooks.list(tenantId, start, signalOf(request)),
      });
      webhookPages.send(request, response, page);
    },
  );
}
