/** A capacity for each interval. */
export interface RateLimit {
  readonly capacity: number;
  readonly intervalMs: number;
}

/** The result of a consumption. If not taken, nothing was consumed. */
export interface Consumption {
  readonly isConsumed: boolean;
  /** Of the capacity, in this interval. */
  readonly left: number;
  /** The rest of the interval. */
  readonly waitMs: number;
}

/**
 * Limits what the holders of keys, such as tenants, may use in an interval. An interval begins with the first
 * consumption after the previous one has ended, and has the whole capacity.
 */
export interface RateLimiter {
  /** Consumes an amount, or nothing if the key has less left. */
  consume(key: string, amount: number): Consumption | Promise<Consumption>;
  /** Refunds an amount consumed in the current interval; past intervals are ignored. */
  refund(key: string, amount: number): void;
}

/** Where nothing is limited. */
export const consumed: Consumption = { isConsumed: true, left: Number.POSITIVE_INFINITY, waitMs: 0 };
