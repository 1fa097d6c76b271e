// Durations of requests, as counts in fixed buckets. Counts can be added over gateways and days, and
// quantiles are computed from the sum.

/** Three buckets for each doubling: a quantile is at most a quarter too high. */
const bucketsPerDoubling = 3;
/** The last one takes all that is longer: 2^16 ms, which is a minute and a bit. */
const lastBucket = 16 * bucketsPerDoubling;

/** Counts by bucket. Those at the end may be missing, which means none. */
export type DurationCounts = readonly number[];

/** The bucket of a duration. */
export function bucketOf(durationMs: number): number {
  return durationMs <= 1 ? 0 : Math.min(lastBucket, Math.ceil(Math.log2(durationMs) * bucketsPerDoubling));
}

/** Adds one to a bucket. */
export function addDuration(counts: number[], durationMs: number): void {
  const bucket = bucketOf(durationMs);
  while (counts.length <= bucket) {
    counts.push(0);
  }
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

/** Adds counts of the same buckets. */
export function sumOfCounts(some: DurationCounts, more: DurationCounts): DurationCounts {
  const [short, long] = some.length < more.length ? [some, more] : [more, some];
  return long.map((count, bucket) => count + (short[bucket] ?? 0));
}

/**
 * The time within which a share of the requests ended, in milliseconds: the upper bound of its bucket. Undefined for
 * none.
 */
export function quantileMs(counts: DurationCounts, share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of counts.entries()) {
    seen += count;
    if (count > 0 && seen >= total * share) {
      return 2 ** (bucket / bucketsPerDoubling);
    }
  }
  return undefined;
}
