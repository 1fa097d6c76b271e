import { creationRoute } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import type { Route } from '@meridian/rest/openapi';

import { createWebhookStore } from '../../store/webhook-store.ts';
import type { SecretBox } from '../../webhooks/secret-box.ts';
import { newWebhookSecret, secretContext } from '../../webhooks/webhook-secret.ts';
import { availableWebhooks, newSecretSchema, webhookWithSecretSchema } from '../../webhooks/webhook.ts';
import { webhookIdParameter } from './get-webhook.ts';

interface PostSecretOptions {
  /** Of responses that are stored encrypted. */
  readonly idempotentWrite: IdempotentWrite<Statements>;
  readonly secrets: SecretBox;
}

/** `POST /webhooks/:id/secrets`. */
export function postSecret({ idempotentWrite, secrets }: PostSecretOptions): Route {
  return creationRoute(
    {
      id: 'rotateWebhookSecret',
      summary: "Rotate a webhook's secret",
      description:
        'From now on the new secret signs. The secrets before it sign too, for 24 hours; of more than five, the oldest ends at once.',
      tag: 'Webhooks',
      scope: 'webhooks:write',
      parameters: [webhookIdParameter],
      body: newSecretSchema,
      bodyIsOptional: true,
      created: {
        description: 'The webhook, with its new secret.',
        location: 'The path of the webhook.',
        schema: webhookWithSecretSchema,
        // No cache may keep a secret.
        cacheControl: 'no-store',
      },
      problems: ['webhook-not-found'],
    },
    { available: availableWebhooks, idempotentWrite },
    async (statements, { caller: { tenantId }, params: { id }, signal }) => {
      const secret = newWebhookSecret();
      const sealed = secrets.seal(secretContext(tenantId, id), secret);
      const webhook = await createWebhookStore(statements).rotateSecret(tenantId, id, sealed, signal);
      return { location: `/webhooks/${id}`, made: { ...webhook, secret } };
    },
  );
}
