/** A capacity for each interval. */
export interface RateLimit {
  readonly capacity: number;
  readonly intervalMs: number;
}

/**
 * The result of a consumption. If not taken, nothing was consumed, and `waitMs` is the rest of the interval.
 */
export type Consumption = { readonly isTaken: true } | { readonly isTaken: false; readonly waitMs: number };

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

export const consumed: Consumption = { isTaken: true };
