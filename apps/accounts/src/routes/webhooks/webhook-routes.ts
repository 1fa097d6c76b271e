import type { Database } from '@meridian/database';
import type { RenderProblem } from '@meridian/http';
import { idempotentStatement } from '@meridian/rest';
import type { Cursors } from '@meridian/rest';
import type { RouteTable } from '@meridian/rest/openapi';

import { createWebhookQueue } from '../../store/webhook-queue.ts';
import { createWebhookStore } from '../../store/webhook-store.ts';
import type { WebhookSettings } from '../../webhooks/webhook-settings.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { patchWebhook } from './patch-webhook.ts';
import { postRetry } from './post-retry.ts';
import { postSecret } from './post-secret.ts';
import { postWebhook } from './post-webhook.ts';

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
      GET: listWebhooks(webhooks, cursors),
      POST: postWebhook({ idempotentWrite: secretWrite, queue, secrets, urls }),
    },
    '/webhooks/:id': {
      GET: getWebhook(webhooks),
      PATCH: patchWebhook(webhooks, urls),
      DELETE: deleteWebhook(webhooks),
    },
    '/webhooks/:id/secrets': {
      POST: postSecret({ idempotentWrite: secretWrite, secrets }),
    },
    '/webhooks/:id/deliveries': {
      GET: listDeliveries(webhooks, cursors),
    },
    '/webhooks/:id/deliveries/:did/retries': {
      POST: postRetry(idempotentWrite),
    },
  };
}
