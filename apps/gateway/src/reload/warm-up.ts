import { setImmediate } from 'node:timers/promises';

import type { Logger } from '@meridian/telemetry';

/** One task that is done in advance, so that no request waits for it. */
export type WarmUpTask = () => Promise<void>;

export interface WarmUpOptions {
  readonly logger: Pick<Logger, 'info'>;
  /** Milliseconds, from any start. */
  readonly now?: () => number;
  /** Ends the warm-up before the next task. */
  readonly signal?: AbortSignal;
}

const reportEveryMs = 1000;

/** Runs tasks one after another, between requests, and logs its progress. */
export async function warmUp(
  tasks: readonly WarmUpTask[],
  { logger, now = () => performance.now(), signal }: WarmUpOptions,
): Promise<void> {
  if (tasks.length === 0) {
    return;
  }
  const total = tasks.length;
  const startedMs = now();
  let reportedMs = startedMs;
  logger.info({ done: 0, total }, 'warming up operations');
  for (const [done, task] of tasks.entries()) {
    if (signal?.aborted) {
      return;
    }
    if (now() - reportedMs >= reportEveryMs) {
      reportedMs = now();
      logger.info({ done, total }, 'warming up operations');
    }
    await task();
    await setImmediate();
  }
  logger.info({ done: total, total, durationMs: now() - startedMs }, 'operations warmed up');
}
