import type { Histogram, HistogramOptions } from './histogram.ts';
import { createHistogram } from './histogram.ts';
import type { Metrics } from './metrics.ts';

export type DurationsOptions<Label extends string> = Omit<HistogramOptions<Label>, 'registry' | 'buckets'>;

/** Registers a histogram of seconds, from half a millisecond to five seconds: the range of calls inside a service. */
export function createDurations<Label extends string>(
  { registry }: Metrics,
  options: DurationsOptions<Label>,
): Histogram<Label> {
  const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
  return createHistogram({ registry, ...options, buckets });
}
