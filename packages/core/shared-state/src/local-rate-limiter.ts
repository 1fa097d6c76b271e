import type { RateLimiter, RateLimit, Consumption } from './rate-limiter.ts';

/** A rate limiter of this process alone, which responds at once. */
export interface LocalRateLimiter extends RateLimiter {
  consume(key: string, amount: number): Consumption;
}

/** The rest of a key's interval. */
interface Interval {
  readonly endsMs: number;
  left: number;
}

/** The number of intervals after which expired ones are dropped; more when that many have not expired. */
const sweptIntervals = 10_000;

/**
 * Creates a rate limiter of this process alone.
 *
 * @param now a monotonic clock, in milliseconds from any start
 */
export function createLocalRateLimiter(
  { capacity, intervalMs }: RateLimit,
  now: () => number = () => performance.now(),
): LocalRateLimiter {
  const intervals = new Map<string, Interval>();
  let sweepAt = sweptIntervals;

  const begin = (key: string, nowMs: number): Interval => {
    if (intervals.size >= sweepAt) {
      sweep(intervals, nowMs);
      // However many keys there are, each new one costs a bounded part of a sweep.
      sweepAt = Math.max(sweptIntervals, 2 * intervals.size);
    }
    const interval = { endsMs: nowMs + intervalMs, left: capacity };
    intervals.set(key, interval);
    return interval;
  };
  const current = (key: string, nowMs: number): Interval | undefined => {
    const interval = intervals.get(key);
    return interval !== undefined && nowMs < interval.endsMs ? interval : undefined;
  };
  return {
    consume(key, amount) {
      const nowMs = now();
      const interval = current(key, nowMs) ?? begin(key, nowMs);
      const isConsumed = amount <= interval.left;
      if (isConsumed) {
        interval.left -= amount;
      }
      return { isConsumed, left: interval.left, waitMs: interval.endsMs - nowMs };
    },
    refund(key, amount) {
      const interval = current(key, now());
      if (interval !== undefined) {
        interval.left = Math.min(capacity, interval.left + amount);
      }
    },
  };
}

function sweep(intervals: Map<string, Interval>, nowMs: number): void {
  for (const [key, { endsMs }] of intervals) {
    if (endsMs <= nowMs) {
      intervals.delete(key);
    }
  }
}
