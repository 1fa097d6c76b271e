import { callerOf, signalOf } from '@meridian/http';
import { jsonDescription, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { acceptedType, bodySchemaOf, readJsonBody, sendJson } from '@meridian/rest';

import type { WebhookStore } from '../../store/webhook-store.ts';
import { availableWebhooks, webhookPatchSchema, webhookSchema } from '../../webhooks/webhook.ts';
import { checkWebhookUrl } from '../../webhooks/webhook-url.ts';
import type { UrlPolicy } from '../../webhooks/webhook-url.ts';
import { webhookIdParameter } from './get-webhook.ts';

const patchMediaTypes = ['application/merge-patch+json', 'application/json'] as const;
const webhookPatch = {
  'application/merge-patch+json': webhookPatchSchema,
  'application/json': webhookPatchSchema,
};

/** `PATCH /webhooks/:id`. */
export function patchWebhook(webhooks: WebhookStore, urls: UrlPolicy): Route {
  return route<{ id: string }>(
    {
      id: 'updateWebhook',
      summary: 'Change a webhook',
      description:
        'A merge patch (RFC 7396): members that are left out stay as they are. `active` enables one that was disabled; events from before that are not sent, deliveries that were pending go on.',
      tag: 'Webhooks',
      scope: 'webhooks:write',
      parameters: [webhookIdParameter],
      body: webhookPatch,
      responses: {
        200: jsonDescription('The webhook after the change.', webhookSchema),
      },
      problemHeaders: {
        415: [
          {
            name: 'Accept-Patch',
            isRequired: true,
            description: 'The accepted media types of a patch (RFC 5789, section 3.1).',
            schema: { const: patchMediaTypes.join(', ') },
          },
        ],
      },
      problems: ['webhook-not-found', 'webhook-url-not-allowed'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      acceptedType(request, availableWebhooks);
      const schema = bodySchemaOf(request, webhookPatch, { 'Accept-Patch': patchMediaTypes.join(', ') });
      const { value: patch } = await readJsonBody(request, schema);
      if (patch.url !== undefined) {
        checkWebhookUrl(patch.url, urls);
      }
      const webhook = await webhooks.update(tenantId, request.params.id, patch, signalOf(request));
      sendJson(request, response, webhookSchema.write(webhook));
    },
  );
}
