const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The waits after each failed attempt. Contract: Webhooks. */
const waitsMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** The part of a wait by which it may be longer, so that what failed together is not tried again together. */
const jitter = 0.1;

/**
 * The wait before the next attempt, in milliseconds; undefined after the last one.
 *
 * @param failedAttempts of the delivery, at least 1
 * @param random from 0 to 1
 */
export function retryWaitMs(failedAttempts: number, random = Math.random()): number | undefined {
  const waitMs = waitsMs[failedAttempts - 1];
  return waitMs && Math.round(waitMs * (1 + jitter * random));
}
