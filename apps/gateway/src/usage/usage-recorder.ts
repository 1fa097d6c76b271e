import { setTimeout as delay } from 'node:timers/promises';

import type { RouterConfig } from '@meridian/router-config';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { UsageBatch } from './usage-batch.ts';
import { createDescribeOperation, requestsIn, usageBatch } from './usage-batch.ts';
import { createUsageCounter } from './usage-counter.ts';
import { createUsageMetrics } from './usage-metrics.ts';
import type { UsageStore } from './usage-store.ts';

export interface UsageRecorderOptions {
  readonly settings: UsageSettings;
  /** Of several; undefined where the process has one. */
  readonly graph?: string | undefined;
  /** Absent: usage is in the metrics only. */
  readonly store: UsageStore | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** `meridian.usage` in router.yaml. */
export type UsageSettings = Omit<RouterConfig['meridian']['usage'], 'enabled'>;

/** The time for writing one batch. */
const writeTimeoutMs = 5000;
const pauseBeforeRetryMs = 200;
const forgetEveryMs = 6 * 60 * 60 * 1000;

/**
 * Records which fields are used, asynchronously and off the request path, in batches. A batch that could not be written
 * is kept and written again under its own id, so that nothing counts twice. Meanwhile counts continue in memory, up to
 * their limit; further ones are dropped and counted as dropped.
 *
 * Spec: Versioning, rule 4.
 */
export function createUsageRecorder(options: UsageRecorderOptions) {
  const { settings, store, logger } = options;
  // Flush on scrape, so that metrics are never an interval old.
  const metrics = createUsageMetrics(options.metrics, () => flush());
  const counter = createUsageCounter(settings.max_counts, metrics.drop);
  const describe = createDescribeOperation(options.graph);
  let unwritten: UsageBatch | undefined;
  let writing: Promise<boolean> | undefined;
  let isFailing = false;

  /** Writes everything. Rejects when something could not be written; it is kept. */
  const write = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      if (unwritten === undefined) {
        const counts = counter.take();
        if (counts.length === 0) {
          return;
        }
        unwritten = usageBatch(counts, describe);
        metrics.add(unwritten);
      }
      await store?.record(unwritten, signal);
      unwritten = undefined;
    }
  };

  /** Resolves to true when it was written. */
  const tryToWrite = async (signal: AbortSignal): Promise<boolean> => {
    try {
      await write(signal);
      isFailing = false;
      return true;
    } catch (error) {
      if (!isFailing) {
        logger.warn({ err: error }, 'usage cannot be written; keeping it in memory and retrying');
      }
      isFailing = true;
      return false;
    }
  };
  const flush = (): void => {
    writing ??= tryToWrite(AbortSignal.timeout(writeTimeoutMs)).finally(() => (writing = undefined));
  };
  const forget = async (): Promise<void> => {
    try {
      await store?.forget(settings.retention_days);
    } catch (error) {
      logger.warn({ err: error }, 'old usage cannot be deleted');
    }
  };

  const flushTimer = setInterval(flush, settings.flush_interval).unref();
  const forgetTimer = setInterval(() => void forget(), forgetEveryMs).unref();
  void forget();

  return {
    count: counter.count,
    /** Writes the remaining counts, within its time, and ends. */
    async close(timeoutMs: number): Promise<void> {
      clearInterval(flushTimer);
      clearInterval(forgetTimer);
      const over = AbortSignal.timeout(timeoutMs);
      await writing;
      let isWritten = await tryToWrite(over);
      while (!isWritten && !over.aborted) {
        await delay(pauseBeforeRetryMs);
        isWritten = await tryToWrite(over);
      }
      if (unwritten !== undefined) {
        const requests = requestsIn(unwritten.usage) + requestsIn(counter.take());
        logger.error({ requests }, 'usage was lost: it could not be written before the stop');
      }
    },
  };
}

export type UsageRecorder = ReturnType<typeof createUsageRecorder>;
