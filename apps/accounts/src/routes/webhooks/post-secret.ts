import { idempotencyKeyHeader, postCreation } from '@meridian/rest';
import type { IdempotentWrite, Statements } from '@meridian/rest';
import { createdDescription } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import type { RequestHandler } from 'express';

import { createWebhookStore } from '../../store/webhook-store.ts';
import type { SecretBox } from '../../webhooks/secret-box.ts';
import { secretCacheControl, secretResponse } from '../../webhooks/secret-response.ts';
import {
  availableWebhooks,
  newSecretSchema,
  webhookWithSecretSchema,
  writeWebhookWithSecret,
} from '../../webhooks/webhook-schemas.ts';
import { newWebhookSecret, secretContext } from '../../webhooks/webhook-secret.ts';
import { webhookIdParameter } from './get-webhook.ts';

const newSecret = { 'application/json': newSecretSchema };

export const postSecretOperation: Operation = {
  id: 'rotateWebhookSecret',
  summary: "Rotate a webhook's secret",
  description:
    'From now on the new secret signs. The secrets before it sign too, for 24 hours; of more than five, the oldest ends at once.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  parameters: [webhookIdParameter],
  idempotencyKey: idempotencyKeyHeader,
  body: newSecret,
  bodyIsOptional: true,
  responses: {
    201: createdDescription(
      'The webhook, with its new secret.',
      'The path of the webhook.',
      webhookWithSecretSchema,
      secretCacheControl,
    ),
  },
  problems: ['webhook-not-found'],
};

interface PostSecretOptions {
  /** Of responses that are stored encrypted. */
  readonly idempotentWrite: IdempotentWrite<Statements>;
  readonly secrets: SecretBox;
}

/** `POST /webhooks/:id/secrets`. */
export function postSecret({ idempotentWrite, secrets }: PostSecretOptions): RequestHandler<{ id: string }> {
  return postCreation(
    { available: availableWebhooks, body: newSecret, bodyIsOptional: true, idempotentWrite },
    async (statements, { caller: { tenantId }, params: { id }, signal }) => {
      const secret = newWebhookSecret();
      const sealed = secrets.seal(secretContext(tenantId, id), secret);
      const webhook = await createWebhookStore(statements).rotateSecret(tenantId, id, sealed, signal);
      return secretResponse(`/webhooks/${id}`, writeWebhookWithSecret(webhook, secret));
    },
  );
}
