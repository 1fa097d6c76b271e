// Sends the events of all tenants to their webhooks: one dispatcher for each process, which share the work by leases in
// the database. A delivery that a process did not end is sent again by another one: at least once, not in order.
import { setTimeout as delay } from 'node:timers/promises';

import type { Event } from '@meridian/events';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { ClaimedTenant, LeasedDelivery, WebhookQueue } from '../store/webhook-queue.ts';
import { defaultFlightLimits, Flights } from './flights.ts';
import type { FlightLimits } from './flights.ts';
import { retryWaitMs } from '../webhooks/retry-schedule.ts';
import type { SecretBox } from '../webhooks/secret-box.ts';
import type { AttemptResult, Sender } from './send-message.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';
import { secretContext } from '../webhooks/webhook-secret.ts';

export interface Dispatcher {
  /** Called after a change of a tenant: its webhooks get the events soon. Costs nothing. */
  wake(tenantId: string): void;
  /** Ends attempts under way, or gives them back, for another process to make. */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  readonly queue: WebhookQueue;
  readonly sender: Sender;
  readonly secrets: SecretBox;
  /** The body of an event, as `GET /events` has it. */
  readonly writeEvent: (tenantId: string, event: Event) => string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits?: FlightLimits;
}

/** Without a change, due work of other processes and retries are found within a second. */
const pollMs = 1000;

/** Changes within this time are looked at together. */
const gatherMs = 20;

/** The most turns of tenants at a time: each takes a connection of the pool. */
const turnsAtOnce = 4;

/** The tenants of which a process may have claimed the turn. */
const tenantsAtOnce = 50;

/** The time for attempts under way when the process stops. */
const stopMs = 3000;

/** Starts a dispatcher. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { queue, sender, logger } = options;
  const flights = new Flights(options.limits ?? defaultFlightLimits);
  const attempts = new Set<Promise<void>>();
  const metrics = createWebhookMetrics(options.metrics, {
    inFlight: () => attempts.size,
    oldestDueSeconds: () => queue.oldestDueSeconds().catch(() => Number.NaN),
  });
  const alarm = createAlarm();
  const cutOff = new AbortController();
  /** Tenants that changed. */
  let awake = new Set<string>();
  let isInUse = false;
  /** Tenants of which more was due than there was room for. */
  const waiting = new Set<string>();
  /** Of the waiting tenants, the ones that have room again. */
  const relieved = new Set<string>();
  /** Tenants of deliveries that other processes make. */
  const released = new Set<string>();
  const stopping = new AbortController();

  const wake = (tenantId: string): void => {
    awake.add(tenantId);
    alarm.ring();
  };

  const pause = () => delay(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);

  async function run(): Promise<void> {
    let isFailing = false;
    while (!stopping.signal.aborted) {
      try {
        const isMore = await work();
        isFailing = false;
        if (!isInUse) {
          // Writes cost nothing where there are no webhooks.
          await pause();
        } else if (!isMore) {
          await alarm.wait(pollMs);
        }
      } catch (error) {
        if (!isFailing) {
          logger.warn({ err: error }, 'webhook deliveries are delayed; trying again each second');
        }
        isFailing = true;
        await pause();
      }
    }
  }

  /** @returns true when more may be due already */
  async function work(): Promise<boolean> {
    const tenantIds = [...awake];
    awake = new Set();
    if (!isInUse) {
      isInUse = await queue.isInUse();
    }
    if (!isInUse) {
      return false;
    }
    if (tenantIds.length > 0) {
      await queue.wake(tenantIds).catch((error: unknown) => {
        for (const tenantId of tenantIds) {
          awake.add(tenantId);
        }
        throw error;
      });
    }
    if (flights.isFull) {
      return false;
    }
    const again = [...relieved];
    relieved.clear();
    const claims = await queue.claimTenants(tenantsAtOnce, [...flights.busyTenants, ...again]);
    const turns = [
      ...again.map((tenantId) => () => takeTurn(tenantId, undefined)),
      ...claims.map((claim) => () => takeTurn(claim.tenant, claim)),
    ].values();
    await Promise.all(
      Array.from({ length: turnsAtOnce }, async () => {
        for (const take of turns) {
          await take();
        }
      }),
    );
    return claims.length === tenantsAtOnce;
  }

  /** @param claim undefined for a turn between two that are claimed, which the database allows, as it allows any */
  async function takeTurn(tenantId: string, claim: ClaimedTenant | undefined): Promise<void> {
    const room = flights.reserve(tenantId);
    try {
      const turn = await queue.takeTurn(tenantId, room).finally(() => flights.unreserve(room));
      const { deliveries, nextAt, isAtOnce, isMore } = turn;
      for (const delivery of deliveries) {
        begin(delivery);
      }
      if (isMore) {
        waiting.add(tenantId);
      }
      if (claim !== undefined) {
        await queue.endTurn(claim, nextAt);
      }
      if (isAtOnce) {
        alarm.ring();
      }
    } catch (error) {
      logger.warn({ tenantId, err: error }, 'webhook deliveries of a tenant are delayed; trying again');
    }
  }

  function begin(delivery: LeasedDelivery): void {
    flights.begin(delivery);
    const attempt = makeAttempt(delivery).finally(() => {
      attempts.delete(attempt);
      if (flights.isFull) {
        alarm.ring();
      }
      flights.end(delivery);
      if (waiting.delete(delivery.tenantId)) {
        relieved.add(delivery.tenantId);
        alarm.ring();
      }
    });
    attempts.add(attempt);
  }

  async function makeAttempt(delivery: LeasedDelivery): Promise<void> {
    const { tenantId, webhookId, event } = delivery;
    const about = { tenantId, webhookId, eventId: event.id };
    try {
      const { status, error } = await send(delivery, options, cutOff.signal);
      const isDelivered = error === null;
      const isGone = status === 410;
      const retryInMs = isDelivered || isGone ? undefined : retryWaitMs(delivery.attempts + 1);
      const reason = await queue.endAttempt(delivery, { status, error, isDelivered, isGone, retryInMs });
      if (retryInMs !== undefined) {
        // The turn expected this attempt to last as long as its lease, and set the next turn for then.
        await queue.wake([tenantId], retryInMs).catch(() => undefined);
      }
      metrics.attemptsTotal.inc({ outcome: error ?? 'delivered' });
      if (!isDelivered && retryInMs === undefined) {
        metrics.failedTotal.inc();
        logger.warn({ ...about, status, error }, 'webhook delivery failed; it is not tried again');
      }
      if (reason !== null) {
        metrics.disabledTotal.inc({ reason });
        logger.warn({ ...about, reason }, 'webhook disabled; its deliveries wait until it is active again');
      }
    } catch (error) {
      if (cutOff.signal.aborted) {
        await queue.release(delivery).catch(() => undefined);
        released.add(tenantId);
        return;
      }
      logger.warn({ ...about, err: error }, 'the end of a webhook attempt is not recorded; it is made again');
    }
  }

  const running = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      alarm.ring();
      await running;
      const timer = setTimeout(() => cutOff.abort(), stopMs);
      await Promise.all(attempts);
      clearTimeout(timer);
      if (released.size > 0) {
        await queue.wake([...released]).catch(() => undefined);
      }
      await sender.close();
    },
  };
}

async function send(
  { tenantId, webhookId, url, sealedSecrets, event }: LeasedDelivery,
  { secrets, sender, writeEvent }: DispatcherOptions,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const context = secretContext(tenantId, webhookId);
  const signing = sealedSecrets.flatMap((sealed) => secrets.open(context, sealed) ?? []);
  if (signing.length === 0) {
    return { status: null, error: 'secret-lost' };
  }
  const timestamp = Math.floor(Date.now() / 1000);
  return await sender.send(
    url,
    { id: event.id, timestamp, body: writeEvent(tenantId, event) },
    signing,
    signal,
  );
}

/** Ends a wait early; what rings while there is no wait ends the next one. */
interface Alarm {
  ring(): void;
  wait(ms: number): Promise<void>;
}

function createAlarm(): Alarm {
  let isRung = false;
  let end: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      end?.();
    },
    async wait(ms) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        end = undefined;
      }
      if (isRung) {
        await delay(gatherMs);
      }
      isRung = false;
    },
  };
}
