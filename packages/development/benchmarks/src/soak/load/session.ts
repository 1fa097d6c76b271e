import { setTimeout as delay } from 'node:timers/promises';

import type { Outage, Outages } from '../events/outages.ts';
import type { HttpResponse, HttpRequest, Sender } from './http-sender.ts';
import { NoResponse } from './http-sender.ts';
import type { Tally } from './tally.ts';
import type { Tenant } from './tenant.ts';
import type { TenantIsolation } from './tenant-isolation.ts';

/** The state that all clients of a run share. */
export interface Load {
  readonly sender: Sender;
  /** Resolves when the next request may be sent; at once after the end of the run. */
  readonly pace: (signal: AbortSignal) => Promise<void>;
  readonly outages: Outages;
  readonly tally: Tally;
  readonly isolation: TenantIsolation;
  readonly targets: Targets;
  /** The identifier of a registered operation. */
  readonly identifierOf: (operation: string) => string;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

/** The URLs of the services for clients. */
export type Targets = Readonly<Record<'gateway' | 'accounts' | 'orders', URL>>;

/** A client of a tenant, with data of that tenant that no other client touches. */
export interface Session {
  readonly load: Load;
  readonly tenant: Tenant;
  /** The other tenant, whose data must never appear. */
  readonly otherTenant: Tenant;
  /** Unique among the clients of the tenant, from 0. */
  readonly index: number;
  /** A token with every scope. */
  readonly token: string;
  /** A token of the same tenant, without scopes. */
  readonly tokenWithoutScopes: string;
}

interface ExchangeOptions {
  /** The name of the request in faults. */
  readonly name: string;
  /** The service that gets the request. If it is killed meanwhile, there is no response. */
  readonly service: keyof Targets;
  readonly timeoutMs?: number | undefined;
}

/**
 * Sends a request in its turn, and counts the outcome; returns the response with the outages meanwhile. Undefined
 * without a response, which is a fault, unless the client hung up or the service was killed.
 */
export async function exchange(
  { load, tenant }: Session,
  message: HttpRequest,
  { name, service, timeoutMs }: ExchangeOptions,
): Promise<{ readonly response: HttpResponse; readonly outages: readonly Outage[] } | undefined> {
  const { sender, pace, outages, tally, isolation } = load;
  await pace(load.signal);
  const startedMs = performance.now();
  try {
    const response = await sender.send(message, timeoutMs);
    tally.response(performance.now() - startedMs);
    const requestText = `${message.url.href} ${message.body ?? ''}`;
    const breach = isolation.breach(
      tenant.id,
      `${JSON.stringify(response.headers)} ${response.body}`,
      requestText,
    );
    if (breach !== undefined) {
      tally.fault(`${name}: ${breach}`);
    }
    return { response, outages: outages.since(startedMs) };
  } catch (error) {
    if (!(error instanceof NoResponse)) {
      throw error;
    }
    const wasKilled = outages
      .since(startedMs)
      .some((outage) => outage.service === service && outage.kind === 'killed');
    if (error.failure === 'hung up') {
      tally.count('hungUp');
    } else if (error.failure === 'broken' && wasKilled) {
      tally.count('lost');
    } else {
      tally.fault(`${name}: ${error.message}`);
    }
    return undefined;
  }
}

/**
 * Paces the requests of all clients evenly. A late client does not speed up: a pause of the service must not cause a burst
 * afterwards.
 */
export function createPace(perSecond: number): Load['pace'] {
  const gapMs = 1000 / perSecond;
  let nextMs = performance.now();
  return async (signal) => {
    const nowMs = performance.now();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + gapMs;
    if (turnMs > nowMs) {
      await delay(turnMs - nowMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

const settleCheckMs = 100;

/** Waits until no service has been away for a moment: a request without a response is then done, or never will be. */
export async function untilSettled({ load: { outages, signal } }: Session): Promise<void> {
  while (outages.since(performance.now()).length > 0 && !signal.aborted) {
    await delay(settleCheckMs);
  }
}
