import type { Database } from '@meridian/database';
import type { RenderProblem } from '@meridian/http';
import { idempotentStatement } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';
import { route } from '@meridian/rest/openapi';
import type { RouteTable } from '@meridian/rest/openapi';

import { createWebhookQueue } from '../../store/webhook-queue.ts';
import { createWebhookStore } from '../../store/webhook-store.ts';
import type { WebhookSettings } from '../../webhooks/webhook-settings.ts';
import { deleteWebhook, deleteWebhookOperation } from './delete-webhook.ts';
import { getWebhook, getWebhookOperation } from './get-webhook.ts';
import { listDeliveries, listDeliveriesOperation } from './list-deliveries.ts';
import { listWebhooks, listWebhooksOperation } from './list-webhooks.ts';
import { patchWebhook, patchWebhookOperation } from './patch-webhook.ts';
import { postRetry, postRetryOperation } from './post-retry.ts';
import { postSecret, postSecretOperation } from './post-secret.ts';
import { postWebhook, postWebhookOperation } from './post-webhook.ts';

interface WebhookRoutesOptions extends WebhookSettings {
  readonly database: Database;
  readonly cursors: Cursors;
  readonly renderProblem: RenderProblem;
}

/** The resources of webhooks. */
export function webhookRoutes(options: WebhookRoutesOptions): RouteTable {
  const { database, cursors, renderProblem, secrets, urls } = options;
  const webhooks = createWebhookStore(database);
  const queue = createWebhookQueue(database);
  const idempotentWrite = idempotentStatement({ database, renderProblem });
  // Their responses have a secret: with a key, they are stored as the secrets are.
  const secretWrite = idempotentStatement({ database, renderProblem, bodies: secrets });
  return {
    '/webhooks': {
      GET: route(listWebhooksOperation, listWebhooks(webhooks, cursors)),
      POST: route(postWebhookOperation, postWebhook({ idempotentWrite: secretWrite, queue, secrets, urls })),
    },
    '/webhooks/:id': {
      GET: route(getWebhookOperation, getWebhook(webhooks)),
      PATCH: route(patchWebhookOperation, patchWebhook(webhooks, urls)),
      DELETE: route(deleteWebhookOperation, deleteWebhook(webhooks)),
    },
    '/webhooks/:id/secrets': {
      POST: route(postSecretOperation, postSecret({ idempotentWrite: secretWrite, secrets })),
    },
    '/webhooks/:id/deliveries': {
      GET: route(listDeliveriesOperation, listDeliveries(webhooks, cursors)),
    },
    '/webhooks/:id/deliveries/:did/retries': {
      POST: route(postRetryOperation, postRetry(idempotentWrite)),
    },
  };
}
