import { setTimeout as delay } from 'node:timers/promises';

/** Paces the requests of all clients evenly. */
export interface Pace {
  /** Resolves when the next request may be sent; at once after the end of the run. */
  next(signal: AbortSignal): Promise<void>;
}

/** A late client does not speed up: a pause of the service must not cause a burst afterwards. */
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
