import { Histogram } from 'prom-client';

import type { Metrics } from './metrics.ts';

export interface DurationsOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** Of each label the values must be few, whatever clients send. */
  readonly labelNames: readonly Label[];
}

/** Registers a histogram of seconds, from half a millisecond to five seconds: what a call inside a service takes. */
export function createDurations<Label extends string>(
  { registry }: Metrics,
  options: DurationsOptions<Label>,
): Histogram<Label> {
  return new Histogram<Label>({
    ...options,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
}
