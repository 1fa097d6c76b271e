import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The interval between measurements, which is part of the measured delay. */
const resolutionMs = 20;
const windowMs = 500;

/**
 * Watches how late the event loop is: the median of each half second, and the lesser of the last two. One long pause
 * does not move it, such as for garbage or to plan a large operation; after a pause, a half second may hold no other
 * measurement. A queue that never empties moves it.
 */
export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  let medianMs = 0;
  let earlierMedianMs = 0;
  histogram.enable();
  const timer = setInterval(() => {
    earlierMedianMs = medianMs;
    medianMs = Math.max(0, histogram.percentile(50) / 1e6 - resolutionMs);
    histogram.reset();
  }, windowMs);
  timer.unref();
  return {
    /** The recent delay of this process's event loop. */
    delayMs: (): number => Math.min(earlierMedianMs, medianMs),
    close(): void {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
