import type { LeasedDelivery, TurnLimits } from '../store/webhook-queue.ts';

/** The most attempts of this process at a time. */
export interface FlightLimits {
  readonly all: number;
  readonly tenant: number;
  readonly webhook: number;
  /** To webhooks whose last attempt failed, of which each has one: the rest is always free for those that work. */
  readonly failing: number;
}

export const defaultFlightLimits: FlightLimits = { all: 128, tenant: 32, webhook: 8, failing: 64 };

/** The attempts under way, and the room for more. A receiver that hangs takes room from its own tenant only. */
export class Flights {
  readonly #limits: FlightLimits;
  readonly #tenants = new Map<string, Map<string, number>>();
  #all = 0;
  #failing = 0;

  constructor(limits: FlightLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#all >= this.#limits.all;
  }

  /** The tenants that have no room. */
  get busyTenants(): string[] {
    return [...this.#tenants].flatMap(([tenant, webhooks]) =>
      sum(webhooks) >= this.#limits.tenant ? [tenant] : [],
    );
  }

  /** Reserves the room of a tenant's turn, as others are taken at the same time; `unreserve` ends that. */
  reserve(tenantId: string): TurnLimits {
    const underWay = this.#tenants.get(tenantId) ?? new Map<string, number>();
    const deliveries = atLeastNone(
      Math.min(this.#limits.tenant - sum(underWay), this.#limits.all - this.#all),
    );
    const failing = atLeastNone(Math.min(this.#limits.failing - this.#failing, deliveries));
    this.#all += deliveries;
    this.#failing += failing;
    return { deliveries, deliveriesOfWebhook: this.#limits.webhook, failing, underWay };
  }

  unreserve({ deliveries, failing }: TurnLimits): void {
    this.#all -= deliveries;
    this.#failing -= failing;
  }

  begin({ tenantId, webhookId, isFailing }: LeasedDelivery): void {
    const webhooks = this.#tenants.get(tenantId) ?? new Map<string, number>();
    this.#tenants.set(tenantId, webhooks);
    webhooks.set(webhookId, (webhooks.get(webhookId) ?? 0) + 1);
    this.#all += 1;
    this.#failing += isFailing ? 1 : 0;
  }

  end({ tenantId, webhookId, isFailing }: LeasedDelivery): void {
    const webhooks = this.#tenants.get(tenantId);
    const left = (webhooks?.get(webhookId) ?? 0) - 1;
    if (left > 0) {
      webhooks?.set(webhookId, left);
    } else {
      webhooks?.delete(webhookId);
    }
    if (webhooks?.size === 0) {
      this.#tenants.delete(tenantId);
    }
    this.#all -= 1;
    this.#failing -= isFailing ? 1 : 0;
  }
}

function atLeastNone(room: number): number {
  return Math.max(0, room);
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) {
    total += count;
  }
  return total;
}
