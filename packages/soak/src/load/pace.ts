import { setTimeout as delay } from 'node:timers/promises';

/** Lets requests through at an even pace, whoever sends them. */
export interface Pace {
  /** Settles when the next request may be sent; at once when the signal has ended the run. */
  next(signal: AbortSignal): Promise<void>;
}

/** Who is late does not send the faster for it: a pause of the service is no reason for a burst afterwards. */
export function createPace(perSecond: number): Pace {
  const gapMs = 1000 / perSecond;
  let nextMs = performance.now();
  return {
    async next(signal) {
      const nowMs = performance.now();
      const turnMs = Math.max(nowMs, nextMs);
      nextMs = turnMs + gapMs;
      if (turnMs > nowMs) {
        await delay(turnMs - nowMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
