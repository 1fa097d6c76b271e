import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';
import { v7 as uuidv7 } from 'uuid';

import type { WebhookQueue } from '../../store/webhook-queue.ts';
import { createWebhookStore } from '../../store/webhook-store.ts';
import type { SecretBox } from '../../webhooks/secret-box.ts';
import { newWebhookSecret, secretContext } from '../../webhooks/webhook-secret.ts';
import { checkWebhookUrl } from '../../webhooks/webhook-url.ts';
import type { UrlPolicy } from '../../webhooks/webhook-url.ts';
import { availableWebhooks, newWebhookSchema, webhookWithSecretSchema } from '../../webhooks/webhook.ts';

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
export function postWebhook({ idempotentWrite, queue, secrets, urls }: PostWebhookOptions): Route {
  return creationRoute(
    {
      id: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Its URL gets each event of the tenant from now on, as `GET /events` has it, signed by Standard Webhooks 1.0: at least once, not in order. The response has the secret, which is never shown again.',
      tag: 'Webhooks',
      scope: 'webhooks:write',
      body: newWebhookSchema,
      created: {
        description: 'The webhook, with its secret.',
        location: 'The path of the webhook.',
        schema: webhookWithSecretSchema,
        // No cache may keep a secret.
        cacheControl: 'no-store',
      },
      problems: ['webhook-url-not-allowed', 'webhook-limit-reached'],
    },
    {
      available: availableWebhooks,
      idempotentWrite,
      async prepare({ value, caller }) {
        checkWebhookUrl(value.url, urls);
        // Before there is a webhook, so that none is without its entry.
        await queue.enter(caller.tenantId);
      },
    },
    async (statements, { value, caller: { tenantId }, signal }) => {
      const id = uuidv7();
      const secret = newWebhookSecret();
      const sealedSecret = secrets.seal(secretContext(tenantId, id), secret);
      const webhook = { ...value, id, sealedSecret };
      const made = await createWebhookStore(statements).create(tenantId, webhook, signal);
      return { location: `/webhooks/${id}`, made: { ...made, secret } };
    },
  );
}
