import type { RouterConfig } from '@meridian/router-config';

/** The recording of the usage of fields. */
export interface UsageConfig {
  /** Absent: usage is in the metrics only. */
  readonly databaseUrl: string | undefined;
  /** The interval between writes, in milliseconds. */
  readonly flushEveryMs: number;
  /** The most counts (one for each operation and client) that are kept while they cannot be written. */
  readonly maxCounts: number;
  readonly keptDays: number;
}

/** Undefined where usage is not recorded. */
export function usageConfig(
  { meridian }: RouterConfig,
  databaseUrl: string | undefined,
): UsageConfig | undefined {
  const { enabled, flush_interval, max_counts, retention_days } = meridian.usage;
  return enabled
    ? { databaseUrl, flushEveryMs: flush_interval, maxCounts: max_counts, keptDays: retention_days }
    : undefined;
}
