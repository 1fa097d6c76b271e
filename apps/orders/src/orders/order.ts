import type { Cancellation } from './cancellation.ts';
import type { NewLineItem } from './line-item.ts';
import type { OrderStatus } from './transition.ts';

/** An order as the graph shows it. Its line items and its cancellation have their own tables. */
export interface Order {
  readonly id: string;
  readonly status: OrderStatus;
  readonly customerId: string | null;
  /** RFC 3339, UTC, with microseconds. */
  readonly createdAt: string;
}

/** An order with the values that its entity tag is made from. */
export interface OrderRevision extends Order {
  /** Each transition raises it by exactly 1. */
  readonly revision: bigint;
  /** The store's own random value, renewed when it is restored from a backup. */
  readonly storeEpoch: string;
}

/** An order that has just been cancelled, with its cancellation. */
export interface CancelledOrder {
  readonly order: OrderRevision;
  readonly cancellation: Cancellation;
}

/** An order to be added. */
export interface NewOrder {
  readonly id: string;
  /** Default: `placed`. */
  readonly status?: OrderStatus;
  readonly customerId: string | null;
  /** RFC 3339. Default: now. */
  readonly createdAt?: string;
  readonly lineItems: readonly NewLineItem[];
}
