import { describe, expect, it } from '@jest/globals';

import { addDuration, bucketOf, quantileMs, sumOfCounts } from '../../src/usage/durations.ts';

function countsOf(durationsMs: readonly number[]): number[] {
  const counts: number[] = [];
  for (const durationMs of durationsMs) {
    addDuration(counts, durationMs);
  }
  return counts;
}

describe('Counts of durations', () => {
  it.each([0.2, 1, 3, 17, 240, 999, 5000, 60_000])(
    'report %d ms as itself, to a quarter more',
    (durationMs) => {
      const quantile = quantileMs(countsOf([durationMs]), 0.95) ?? 0;
      expect(quantile).toBeGreaterThanOrEqual(durationMs);
      expect(quantile).toBeLessThanOrEqual(Math.max(1, durationMs * 1.26));
    },
  );

  it('have a last bucket, however long a request takes', () => {
    expect(bucketOf(Number.MAX_VALUE)).toBe(bucketOf(70_000));
    expect(countsOf([Infinity])).toHaveLength(49);
  });

  it('give the time within which 95 of 100 requests end, merged over several gateways', () => {
    const fast = countsOf(Array.from({ length: 94 }, () => 10));
    const slow = countsOf(Array.from({ length: 6 }, () => 1000));
    const [ofAll = 0, ofFast = 0] = [
      quantileMs(sumOfCounts(fast, slow), 0.95),
      quantileMs(sumOfCounts(slow, fast), 0.94),
    ];
    expect(ofAll).toBeGreaterThan(999);
    expect(ofFast).toBeLessThan(13);
  });

  it('have no quantile when they are empty', () => {
    expect(quantileMs([], 0.95)).toBeUndefined();
  });
});
