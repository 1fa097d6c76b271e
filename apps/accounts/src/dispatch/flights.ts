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

/** The most turns of tenants at a time: each takes a connection of the pool. */
export const turnsAtOnce = 4;

/** The attempts under way, and the room for more. A receiver that hangs takes room from its own tenant only. */
export class Flights {
  readonly #limits: FlightLimits;
  readonly #tenants = new Map<string, Map<string, number>>();
  #all = 0;
  #failing = 0;

  constructor(limits: FlightLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#all;
  }

  get isFull(): boolean {
    return this.#share === 0;
  }

  /** The room of one turn: others are taken at the same time. */
  get #share(): number {
    return Math.max(0, Math.floor((this.#limits.all - this.#all) / turnsAtOnce));
  }

  /** The tenants that have no room. */
  get busyTenants(): string[] {
    return [...this.#tenants].flatMap(([tenant, webhooks]) =>
      sum(webhooks) >= this.#limits.tenant ? [tenant] : [],
    );
  }

  /** The room of a tenant. */
  room(tenantId: string): TurnLimits {
    const webhooks = this.#tenants.get(tenantId) ?? new Map<string, number>();
    return {
      deliveries: Math.max(0, Math.min(this.#limits.tenant - sum(webhooks), this.#share)),
      deliveriesOfWebhook: this.#limits.webhook,
      failing: Math.max(0, Math.floor((this.#limits.failing - this.#failing) / turnsAtOnce)),
      underWay: webhooks,
    };
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

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) {
    total += count;
  }
  return total;
}
