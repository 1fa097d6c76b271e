// Webhooks and their deliveries in PostgreSQL, as their tenant sees them.
import type { StopSignal } from '@meridian/database';
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';
import type { Statements } from '@meridian/rest';

import type { PageStart } from '../pagination/pages.ts';
import { isUuid } from '../transfers/transfer.ts';
import type { Delivery } from '../webhooks/delivery.ts';
import { maxWebhooks } from '../webhooks/webhook.ts';
import type { NewWebhook, Webhook, WebhookPatch } from '../webhooks/webhook.ts';

const secretOverlap = '24 hours';

/** PostgreSQL has its numbers in fewer bits than JSON. */
type DeliveryRow = Omit<Delivery, 'attempts' | 'last_status'> & {
  readonly attempts: number;
  readonly last_status: number | null;
};

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(statements: Statements) {
  /** Changes one webhook, which comes back as it is then. */
  async function change(
    sql: string,
    [tenantId, id, ...more]: readonly [tenantId: string, id: string, ...unknown[]],
    signal: StopSignal,
  ): Promise<Webhook> {
    const [webhook] = isUuid(id)
      ? await statements.query<Webhook>(sql, [tenantId, id, ...more], { tenantId, signal })
      : [];
    if (webhook === undefined) {
      throw webhookNotFound(id);
    }
    return webhook;
  }

  return {
    /** @throws {Problem} `webhook-limit-reached` */
    async create(
      tenantId: string,
      webhook: NewWebhook & { readonly id: string; readonly sealedSecret: string },
      signal: StopSignal,
    ): Promise<Webhook> {
      const { id, url, types = null, description = null, sealedSecret } = webhook;
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
        disabled_reason: null,
        failing_since: null,
        created_at: row.created_at,
      };
    },

    async find(tenantId: string, id: string, signal: StopSignal): Promise<Webhook | undefined> {
      const [webhook] = isUuid(id)
        ? await statements.query<Webhook>('select * from find_webhook($1, $2)', [tenantId, id], {
            tenantId,
            signal,
            readOnly: true,
          })
        : [];
      return webhook;
    },

    /** At most `limit` webhooks, newest first, after a position. */
    list(tenantId: string, { after, limit }: PageStart, signal: StopSignal): Promise<Webhook[]> {
      return statements.query(
        'select * from list_webhooks($1, $2, $3, $4)',
        [tenantId, after?.created_at ?? null, after?.id ?? null, limit],
        { tenantId, signal, readOnly: true },
      );
    },

    /** @throws {Problem} `webhook-not-found` */
    update(tenantId: string, id: string, patch: WebhookPatch, signal: StopSignal): Promise<Webhook> {
      const members = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      const { url = null, types = null, description = null, status = null } = patch;
      return change(
        'select * from update_webhook($1, $2, $3, $4, $5, $6, $7)',
        [tenantId, id, members, url, types, description, status],
        signal,
      );
    },

    /** @throws {Problem} `webhook-not-found` */
    async remove(tenantId: string, id: string, signal: StopSignal): Promise<void> {
      const [row] = isUuid(id)
        ? await statements.query<{ found: boolean }>(
            'select delete_webhook($1, $2) as found',
            [tenantId, id],
            { tenantId, signal },
          )
        : [];
      if (row?.found !== true) {
        throw webhookNotFound(id);
      }
    },

    /**
     * Adds a secret. Those before it sign for 24 hours more.
     *
     * @throws {Problem} `webhook-not-found`
     */
    rotateSecret(tenantId: string, id: string, sealedSecret: string, signal: StopSignal): Promise<Webhook> {
      return change(
        'select * from rotate_webhook_secret($1, $2, $3, $4)',
        [tenantId, id, sealedSecret, secretOverlap],
        signal,
      );
    },

    /** At most `limit` deliveries of a webhook, newest first, after a position. */
    async listDeliveries(
      tenantId: string,
      webhookId: string,
      { after, limit }: PageStart,
      signal: StopSignal,
    ): Promise<Delivery[]> {
      const rows = isUuid(webhookId)
        ? await statements.query<DeliveryRow>(
            'select * from list_webhook_deliveries($1, $2, $3, $4)',
            [tenantId, webhookId, after?.id ?? null, limit],
            { tenantId, signal, readOnly: true },
          )
        : [];
      return rows.map(deliveryOf);
    },

    /**
     * Makes a delivery due at once.
     *
     * @throws {Problem} `webhook-not-found`, `delivery-not-found`, `webhook-disabled`
     */
    async retryDelivery(
      tenantId: string,
      webhookId: string,
      id: string,
      signal: StopSignal,
    ): Promise<Delivery> {
      const [row] = isUuid(webhookId)
        ? await statements.query<
            DeliveryRow & { refusal: 'webhook-not-found' | 'delivery-not-found' | 'webhook-disabled' | null }
          >(
            'select * from retry_webhook_delivery($1, $2, $3)',
            [tenantId, webhookId, isUuid(id) ? id : noDelivery],
            { tenantId, signal },
          )
        : [];
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

function deliveryOf(row: DeliveryRow): Delivery {
  const { attempts, last_status: status } = row;
  return { ...row, attempts: BigInt(attempts), last_status: status === null ? null : BigInt(status) };
}

/** No delivery has it. */
const noDelivery = '00000000-0000-0000-0000-000000000000';

/** Equal for a missing webhook and for another tenant's. */
export function webhookNotFound(id: string): Problem {
  return problem('webhook-not-found', `There is no webhook "${id}".`);
}
