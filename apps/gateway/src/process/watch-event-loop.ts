import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Watches the recent delay of this process's event loop. */
export interface EventLoopWatch {
  readonly delayMs: () => number;
  close(): void;
}

/** The interval between measurements, which is part of the measured delay. */
const resolutionMs = 20;
const windowMs = 500;

/**
 * Watches how late the event loop is: the median of the last half second. One long pause, such as for garbage or to plan a
 * large operation, does not move it; a queue that never empties does.
 */
export function watchEventLoop(): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  let medianMs = 0;
  histogram.enable();
  const timer = setInterval(() => {
    medianMs = Math.max(0, histogram.percentile(50) / 1e6 - resolutionMs);
    histogram.reset();
  }, windowMs);
  timer.unref();
  return {
    delayMs: () => medianMs,
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
