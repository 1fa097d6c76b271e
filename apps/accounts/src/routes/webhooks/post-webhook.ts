import { callerOf, sendResponse, signalOf } from '@meridian/http';
import { acceptedType, bodySchemaOf, idempotencyKeyHeader, readJsonBody } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import { cacheControlHeader, locationHeader } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';

import type { WebhookQueue } from '../../store/webhook-queue.ts';
import { createWebhookStore } from '../../store/webhook-store.ts';
import type { SecretBox } from '../../webhooks/secret-box.ts';
import { secretCacheControl, secretResponse } from '../../webhooks/secret-response.ts';
import {
  availableWebhooks,
  newWebhookSchema,
  webhookWithSecretSchema,
  writeWebhookWithSecret,
} from '../../webhooks/webhook-schemas.ts';
import { newWebhookSecret, secretContext } from '../../webhooks/webhook-secret.ts';
import { checkWebhookUrl } from '../../webhooks/webhook-url.ts';
import type { UrlPolicy } from '../../webhooks/webhook-url.ts';

const newWebhook = { 'application/json': newWebhookSchema };

export const postWebhookOperation: Operation = {
  id: 'createWebhook',
  summary: 'Create a webhook',
  description:
    'Its URL gets each event of the tenant from now on, as `GET /events` has it, signed by Standard Webhooks 1.0: at least once, not in order. The response has the secret, which is never shown again.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  idempotencyKey: idempotencyKeyHeader,
  body: newWebhook,
  responses: {
    201: {
      description: 'The webhook, with its secret.',
      headers: [locationHeader('The path of the webhook.'), cacheControlHeader(secretCacheControl)],
      content: { 'application/json': webhookWithSecretSchema },
    },
  },
  problems: ['webhook-url-not-allowed', 'webhook-limit-reached'],
};

interface PostWebhookOptions {
  /** Of responses that are stored encrypted. */
  readonly idempotentWrite: IdempotentWrite<Statements>;
  readonly queue: WebhookQueue;
  readonly secrets: SecretBox;
  readonly urls: UrlPolicy;
}

/**
 * `POST /webhooks`.
 * Contract: Ledger and events.
 */
export function postWebhook({ idempotentWrite, queue, secrets, urls }: PostWebhookOptions): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availableWebhooks);
    const body = await readJsonBody(request, bodySchemaOf(request, newWebhook));
    checkWebhookUrl(body.value.url, urls);
    // Before there is a webhook, so that none is without its entry.
    await queue.enter(tenantId);

    const httpResponse = await idempotentWrite(request, body.bytes, async (statements) => {
      const id = uuidv7();
      const secret = newWebhookSecret();
      const sealedSecret = secrets.seal(secretContext(tenantId, id), secret);
      const created = await createWebhookStore(statements).create(
        tenantId,
        { ...body.value, id, sealedSecret },
        signalOf(request),
      );
      return secretResponse(`/webhooks/${id}`, writeWebhookWithSecret(created, secret));
    });
    sendResponse(request, response, httpResponse);
  };
}
