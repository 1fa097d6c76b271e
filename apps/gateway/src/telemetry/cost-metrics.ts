import type { Histogram, Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';
import { Counter } from 'prom-client';

export type CostResult = 'COST_OK' | 'COST_ESTIMATED_TOO_EXPENSIVE';

const buckets = [0, 10, 100, 1000, 10_000];

/** Registers costs of requests as metrics, with Apollo Router's names where it has one: once for a process. */
export function createCostMetrics({ registry }: Metrics) {
  const histogram = (name: string, help: string): Histogram<'cost_result'> =>
    createHistogram({ registry, name, help, labelNames: ['cost_result'], buckets });
  const estimates = histogram('cost_estimated', 'Estimated cost of operations.');
  const measured = histogram('cost_actual', 'Actual cost of the operations that were measured.');
  const deltas = histogram('cost_delta', 'Estimated minus actual cost of the operations that were measured.');
  const failures = new Counter({
    name: 'meridian_cost_measure_failures_total',
    help: 'Responses whose actual cost could not be measured.',
    registers: [registry],
  });
  return {
    onEstimated: (estimated: number, result: CostResult): void =>
      estimates.observe({ cost_result: result }, estimated),
    onMeasured: (estimated: number, actual: number): void => {
      measured.observe({ cost_result: 'COST_OK' }, actual);
      deltas.observe({ cost_result: 'COST_OK' }, estimated - actual);
    },
    /** Counts a response that could not be measured. */
    onUnmeasurable: (): void => failures.inc(),
  };
}

export type CostMetrics = ReturnType<typeof createCostMetrics>;
