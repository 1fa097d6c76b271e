// Deliveries of webhooks in PostgreSQL, as the process that sends them sees them: of all tenants, one at a time.
import type { Database } from '@meridian/database';
import { eventOf } from '@meridian/events';
import type { Event, EventRow } from '@meridian/events';

import type { DeliveryError } from '../webhooks/delivery.ts';

/** A delivery that this process may send until its lease ends. */
export interface LeasedDelivery {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly id: string;
  readonly url: string;
  readonly sealedSecrets: readonly string[];
  /** True where the last attempt at the webhook failed. */
  readonly isFailing: boolean;
  /** The attempts before this one. */
  readonly attempts: number;
  readonly event: Event;
}

/** A turn of a tenant. */
export interface Turn {
  readonly deliveries: readonly LeasedDelivery[];
  /** When the next turn is due, in ISO 8601. */
  readonly nextAt: string;
  /** True when that is now. */
  readonly isAtOnce: boolean;
  /** True when more are due than were leased. */
  readonly isMore: boolean;
}

/** A tenant whose turn it is, and the end of this process's claim to it. */
export interface ClaimedTenant {
  readonly tenant: string;
  readonly claimedUntil: string;
}

/** The limits of a turn. */
export interface TurnLimits {
  readonly deliveries: number;
  readonly deliveriesOfWebhook: number;
  /** To webhooks that fail. */
  readonly failing: number;
  /** The attempts under way, by webhook. */
  readonly underWay: ReadonlyMap<string, number>;
}

/** The end of an attempt. */
export interface EndedAttempt {
  readonly isDelivered: boolean;
  readonly isGone: boolean;
  readonly status: number | null;
  readonly error: DeliveryError | null;
  /** Undefined when there is no further attempt. */
  readonly retryInMs: number | undefined;
}

/** A secret of a webhook as it is stored. */
export interface SealedSecret {
  readonly webhookId: string;
  readonly sealedSecret: string;
}

/** Longer than an attempt. A process that dies keeps its deliveries from others for so long. */
const lease = '30 seconds';

interface TurnRow extends EventRow {
  webhook_id: string;
  /** Null in the last row. */
  id: string | null;
  url: string;
  sealed_secrets: string[];
  is_failing: boolean;
  attempts: number;
  event_id: string;
  next_at: string;
  is_at_once: boolean;
  is_more: boolean;
}

export type WebhookQueue = ReturnType<typeof createWebhookQueue>;

export function createWebhookQueue(database: Pick<Database, 'query'>) {
  return {
    /** Has a tenant looked at regularly from now on. */
    async enter(tenantId: string): Promise<void> {
      await database.query(
        `insert into webhook_queue (queue, tenant, due_at) values ('all', $1, now()) on conflict do nothing`,
        [tenantId],
        { tenantId },
      );
    },

    /** Makes the turns of these tenants due in `inMs` at the latest; of no effect for a tenant without webhooks. */
    async wake(tenantIds: readonly string[], inMs = 0): Promise<void> {
      await database.query(
        `update webhook_queue set due_at = now() + $2::interval
         where queue = 'all' and tenant = any ($1) and due_at > now() + $2::interval`,
        [tenantIds, `${inMs} milliseconds`],
      );
    },

    /** Claims at most `limit` tenants whose turn is due, but for the busy ones. Another process claims others. */
    async claimTenants(limit: number, busyTenants: readonly string[]): Promise<ClaimedTenant[]> {
      return await database.query<{ tenant: string; claimedUntil: string }>(
        `update webhook_queue set due_at = now() + interval '30 seconds'
         where queue = 'all' and due_at <= now() and tenant in (
           select due.tenant from webhook_queue due
           where due.queue = 'all' and due.due_at <= now() and not due.tenant = any ($2)
           order by due.due_at limit $1 for update skip locked
         )
         returning tenant, due_at as "claimedUntil"`,
        [limit, busyTenants],
      );
    },

    /** Enters the deliveries of a tenant's new events, and leases due ones. */
    async takeTurn(
      tenantId: string,
      { deliveries, deliveriesOfWebhook, failing, underWay }: TurnLimits,
    ): Promise<Turn> {
      const rows = await database.query<TurnRow>(
        'select * from claim_webhook_deliveries($1, $2, $3, $4, $5, $6, $7)',
        [
          tenantId,
          deliveries,
          deliveriesOfWebhook,
          failing,
          [...underWay.keys()],
          [...underWay.values()],
          lease,
        ],
        { tenantId },
      );
      const end = rows.at(-1);
      if (end === undefined) {
        throw new Error('claim_webhook_deliveries returned no end');
      }
      return {
        deliveries: rows.flatMap((row) => leasedOf(tenantId, row)),
        nextAt: end.next_at,
        isAtOnce: end.is_at_once,
        isMore: end.is_more,
      };
    },

    /** Sets the time of the next turn; of one that was woken meanwhile, the earlier time. */
    async endTurn({ tenant, claimedUntil }: ClaimedTenant, nextAt: string): Promise<void> {
      await database.query(
        `update webhook_queue set due_at = $3
         where queue = 'all' and tenant = $1 and (due_at = $2 or due_at > $3)`,
        [tenant, claimedUntil, nextAt],
      );
    },

    /** @returns why the webhook was disabled by it, or null */
    async endAttempt(
      { tenantId, webhookId, id }: LeasedDelivery,
      { isDelivered, isGone, status, error, retryInMs }: EndedAttempt,
    ): Promise<'failing' | 'gone' | null> {
      const [row] = await database.query<{ reason: 'failing' | 'gone' | null }>(
        'select end_webhook_attempt($1, $2, $3, $4, $5, $6, $7, $8) as reason',
        [
          tenantId,
          webhookId,
          id,
          isDelivered,
          isGone,
          status,
          error,
          retryInMs === undefined ? null : `${retryInMs} milliseconds`,
        ],
        { tenantId },
      );
      return row?.reason ?? null;
    },

    /** Gives a lease back, as if there had been no attempt. */
    async release({ tenantId, webhookId, id }: LeasedDelivery): Promise<void> {
      await database.query('select release_webhook_delivery($1, $2, $3)', [tenantId, webhookId, id], {
        tenantId,
      });
    },

    /** True once any tenant has had a webhook. */
    async isInUse(): Promise<boolean> {
      const [row] = await database.query<{ found: boolean }>(
        `select exists (select from webhook_queue where queue = 'all') as found`,
        [],
        { readOnly: true },
      );
      return row?.found === true;
    },

    /** At most a thousand tenants with webhooks, in the order of their names, after one. */
    async listTenants(after: string): Promise<string[]> {
      const rows = await database.query<{ tenant: string }>(
        `select tenant from webhook_queue where queue = 'all' and tenant > $1 order by tenant limit 1000`,
        [after],
        { readOnly: true },
      );
      return rows.map(({ tenant }) => tenant);
    },

    /** The secrets of a tenant that do not begin with the prefix. */
    async listSealedSecrets(tenantId: string, prefix: string): Promise<SealedSecret[]> {
      const rows = await database.query<{ webhook_id: string; sealed_secret: string }>(
        'select * from list_sealed_secrets($1, $2)',
        [tenantId, prefix],
        { tenantId, readOnly: true },
      );
      return rows.map((row) => ({ webhookId: row.webhook_id, sealedSecret: row.sealed_secret }));
    },

    /** Stores a secret that has been encrypted again. */
    async replaceSecret(
      tenantId: string,
      { webhookId, sealedSecret }: SealedSecret,
      after: string,
    ): Promise<void> {
      await database.query(
        'select replace_sealed_secret($1, $2, $3, $4)',
        [tenantId, webhookId, sealedSecret, after],
        { tenantId },
      );
    },

    /** The seconds for which the oldest turn has been due; 0 when none is. */
    async oldestDueSeconds(): Promise<number> {
      const [row] = await database.query<{ seconds: number | null }>(
        `select extract(epoch from now() - min(due_at))::float8 as seconds from webhook_queue where queue = 'all'`,
        [],
        { readOnly: true },
      );
      return Math.max(0, row?.seconds ?? 0);
    },
  };
}

function leasedOf(tenantId: string, row: TurnRow): LeasedDelivery[] {
  const { id } = row;
  return id === null
    ? []
    : [
        {
          tenantId,
          webhookId: row.webhook_id,
          id,
          url: row.url,
          sealedSecrets: row.sealed_secrets,
          isFailing: row.is_failing,
          attempts: row.attempts,
          event: eventOf(row.event_id, row),
        },
      ];
}
