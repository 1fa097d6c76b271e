import { setTimeout as delay } from 'node:timers/promises';

import type { Outage, Outages } from '../events/outages.ts';
import type { Pace } from './pace.ts';
import type { HttpResponse, HttpRequest, Sender } from './send-request.ts';
import { NoResponse } from './send-request.ts';
import type { Tally } from './tally.ts';
import type { Tenant } from './tenant.ts';
import type { TenantIsolation } from './tenant-isolation.ts';

/** The state that all clients of a run share. */
export interface Load {
  readonly sender: Sender;
  readonly pace: Pace;
  readonly outages: Outages;
  readonly tally: Tally;
  readonly isolation: TenantIsolation;
  readonly targets: Targets;
  /** The identifier of a registered operation. */
  readonly identifierOf: (operation: string) => string;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

/** Where the services are that clients talk to. */
export interface Targets {
  readonly gateway: URL;
  readonly accounts: URL;
  readonly orders: URL;
}

/** A client: somebody of a tenant, with things of that tenant that no other client touches. */
export interface Session {
  readonly load: Load;
  readonly tenant: Tenant;
  /** The tenant whose data must never appear. */
  readonly otherTenant: Tenant;
  /** Unique among the clients of the tenant, from 0. */
  readonly index: number;
  /** With every scope. */
  readonly token: string;
  /** Of the same tenant, without any scope. */
  readonly tokenWithoutScopes: string;
}

/** A request as it went, and what was away meanwhile. */
export interface Exchange {
  readonly response: HttpResponse;
  readonly outages: readonly Outage[];
}

export interface ExchangeOptions {
  /** The name that a fault is reported under. */
  readonly name: string;
  /** Whom the request is sent to: where that one is killed meanwhile, there is no answer. */
  readonly service: keyof Targets;
  readonly codesOf: (response: HttpResponse) => readonly string[];
  readonly timeoutMs?: number | undefined;
}

/**
 * Sends a request of a session when its turn has come, and counts the outcome. Undefined without a response;
 * that is a fault, except for a client that hung up and a service that was killed.
 */
export async function exchange(
  { load, tenant }: Session,
  message: HttpRequest,
  { name, service, codesOf, timeoutMs }: ExchangeOptions,
): Promise<Exchange | undefined> {
  const { sender, pace, outages, tally, isolation } = load;
  await pace.next(load.signal);
  const startedMs = performance.now();
  try {
    const response = await sender.send(message, timeoutMs);
    tally.response(performance.now() - startedMs, codesOf(response));
    const asked = `${message.url.href} ${message.body ?? ''}`;
    const breach = isolation.breach(tenant.id, `${JSON.stringify(response.headers)} ${response.body}`, asked);
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

const settleCheckMs = 100;

/**
 * Waits until no service is away, and has not been for a moment: what was sent to one and has no answer is done by then, or never
 * will be.
 */
export async function untilSettled({ load: { outages, signal } }: Session): Promise<void> {
  while (outages.since(performance.now()).length > 0 && !signal.aborted) {
    await delay(settleCheckMs);
  }
}
