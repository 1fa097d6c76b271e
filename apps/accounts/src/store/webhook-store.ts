// Webhooks and their deliveries in PostgreSQL, as their tenant sees them.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import type { PagePosition } from '../pagination/pages.ts';
import { isUuid } from '../transfers/transfer.ts';
import type { WebhookInput, WebhookPatch } from '../webhooks/webhook-schemas.ts';
import { maxWebhooks } from '../webhooks/webhook.ts';
import type { Delivery, Webhook } from '../webhooks/webhook.ts';

export interface WebhookStore {
  /** @throws {Problem} `webhook-limit-reached` */
  readonly create: (
    tenantId: string,
    webhook: WebhookInput & { readonly id: string; readonly sealedSecret: string },
    signal: StopSignal,
  ) => Promise<Webhook>;
  readonly find: (tenantId: string, id: string, signal: StopSignal) => Promise<Webhook | undefined>;
  /** At most `limit` webhooks, newest first, after a position. */
  readonly list: (tenantId: string, page: Page, signal: StopSignal) => Promise<Webhook[]>;
  /** @throws {Problem} `webhook-not-found` */
  readonly update: (
    tenantId: string,
    id: string,
    patch: WebhookPatch,
    signal: StopSignal,
  ) => Promise<Webhook>;
  /** @throws {Problem} `webhook-not-found` */
  readonly remove: (tenantId: string, id: string, signal: StopSignal) => Promise<void>;
  /**
   * Adds a secret. Those before it sign for 24 hours more.
   *
   * @throws {Problem} `webhook-not-found`
   */
  readonly rotateSecret: (
    tenantId: string,
    id: string,
    sealedSecret: string,
    signal: StopSignal,
  ) => Promise<Webhook>;
  /** At most `limit` deliveries of a webhook, newest first, after a position. */
  readonly listDeliveries: (
    tenantId: string,
    webhookId: string,
    page: Page,
    signal: StopSignal,
  ) => Promise<Delivery[]>;
  /**
   * Makes a delivery due at once.
   *
   * @throws {Problem} `webhook-not-found`, `delivery-not-found`, `webhook-disabled`
   */
  readonly retryDelivery: (
    tenantId: string,
    webhookId: string,
    id: string,
    signal: StopSignal,
  ) => Promise<Delivery>;
}

interface Page {
  readonly after: PagePosition | undefined;
  readonly limit: number;
}

interface WebhookRow {
  id: string;
  url: string;
  types: string[] | null;
  description: string | null;
  status: Webhook['status'];
  disabled_reason: Webhook['disabledReason'];
  failing_since: string | null;
  created_at: string;
}

interface DeliveryRow {
  id: string;
  event_id: string;
  status: Delivery['status'];
  attempts: number;
  last_status: number | null;
  last_error: Delivery['lastError'];
  next_attempt_at: string | null;
  created_at: string;
}

type RetriedRow = DeliveryRow & {
  refusal: 'webhook-not-found' | 'delivery-not-found' | 'webhook-disabled' | null;
};

const secretOverlap = '24 hours';

export function createWebhookStore(statements: Statements): WebhookStore {
  return {
    async create(tenantId, { id, url, types, description, sealedSecret }, signal) {
      const [row] = await statements.query<{ refusal: string | null; created_at: string }>(
        'select * from create_webhook($1, $2, $3, $4, $5, $6, $7)',
        [tenantId, id, url, types, description, sealedSecret, maxWebhooks],
        { tenantId, signal },
      );
      if (row === undefined) {
        throw new Error('create_webhook returned no row');
      }
      if (row.refusal !== null) {
        throw problem('webhook-limit-reached', `There are ${maxWebhooks} webhooks already.`);
      }
      return {
        id,
        url,
        types,
        description,
        status: 'active',
        disabledReason: null,
        failingSince: null,
        createdAt: row.created_at,
      };
    },

    async find(tenantId, id, signal) {
      const [row] = isUuid(id)
        ? await statements.query<WebhookRow>('select * from find_webhook($1, $2)', [tenantId, id], {
            tenantId,
            signal,
            readOnly: true,
          })
        : [];
      return row && webhookOf(row);
    },

    async list(tenantId, { after, limit }, signal) {
      const rows = await statements.query<WebhookRow>(
        'select * from list_webhooks($1, $2, $3, $4)',
        [tenantId, after?.createdAt ?? null, after?.id ?? null, limit],
        { tenantId, signal, readOnly: true },
      );
      return rows.map(webhookOf);
    },

    async update(tenantId, id, patch, signal) {
      const members = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      const { url = null, types = null, description = null, status = null } = patch;
      const [row] = isUuid(id)
        ? await statements.query<WebhookRow>(
            'select * from update_webhook($1, $2, $3, $4, $5, $6, $7)',
            [tenantId, id, members, url, types, description, status],
            { tenantId, signal },
          )
        : [];
      return foundWebhook(row, id);
    },

    async remove(tenantId, id, signal) {
      const [row] = isUuid(id)
        ? await statements.query<{ found: boolean }>(
            'select delete_webhook($1, $2) as found',
            [tenantId, id],
            {
              tenantId,
              signal,
            },
          )
        : [];
      if (row?.found !== true) {
        throw webhookNotFound(id);
      }
    },

    async rotateSecret(tenantId, id, sealedSecret, signal) {
      const [row] = isUuid(id)
        ? await statements.query<WebhookRow>(
            'select * from rotate_webhook_secret($1, $2, $3, $4)',
            [tenantId, id, sealedSecret, secretOverlap],
            { tenantId, signal },
          )
        : [];
      return foundWebhook(row, id);
    },

    async listDeliveries(tenantId, webhookId, { after, limit }, signal) {
      const rows = isUuid(webhookId)
        ? await statements.query<DeliveryRow>(
            'select * from list_webhook_deliveries($1, $2, $3, $4)',
            [tenantId, webhookId, after?.id ?? null, limit],
            { tenantId, signal, readOnly: true },
          )
        : [];
      return rows.map(deliveryOf);
    },

    async retryDelivery(tenantId, webhookId, id, signal) {
      if (!isUuid(webhookId)) {
        throw webhookNotFound(webhookId);
      }
      const [row] = await statements.query<RetriedRow>(
        'select * from retry_webhook_delivery($1, $2, $3)',
        [tenantId, webhookId, isUuid(id) ? id : noDelivery],
        { tenantId, signal },
      );
      if (row === undefined || row.refusal === 'webhook-not-found') {
        throw webhookNotFound(webhookId);
      }
      if (row.refusal === 'delivery-not-found') {
        throw problem('delivery-not-found', `The webhook has no delivery "${id}".`);
      }
      if (row.refusal === 'webhook-disabled') {
        throw problem('webhook-disabled', 'The webhook is disabled: nothing is sent to it.');
      }
      return deliveryOf(row);
    },
  };
}

/** No delivery has it. */
const noDelivery = '00000000-0000-0000-0000-000000000000';

function foundWebhook(row: WebhookRow | undefined, id: string): Webhook {
  if (row === undefined) {
    throw webhookNotFound(id);
  }
  return webhookOf(row);
}

/** Equal for a missing webhook and for another tenant's. */
export function webhookNotFound(id: string): Problem {
  return problem('webhook-not-found', `There is no webhook "${id}".`);
}

function webhookOf(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    createdAt: row.created_at,
  };
}

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
  };
}
