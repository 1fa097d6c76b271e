/** So much in each interval. */
export interface RateLimit {
  readonly capacity: number;
  readonly intervalMs: number;
}

/** Whether an amount was taken. If not, nothing was, and `waitMs` is how long the interval still lasts. */
export type Consumption = { readonly isTaken: true } | { readonly isTaken: false; readonly waitMs: number };

/**
 * What the holders of keys, such as tenants, may use in an interval. An interval begins with the first that is taken after
 * the one before has ended, and has the whole capacity.
 */
export interface RateLimiter {
  /** Takes a whole amount of what the key has left, or nothing where that is too little. */
  consume(key: string, amount: number): Consumption | Promise<Consumption>;
  /** Puts back what was taken in the interval of now; what was taken in one that is over is forgotten. */
  refund(key: string, amount: number): void;
}

export const consumed: Consumption = { isTaken: true };
