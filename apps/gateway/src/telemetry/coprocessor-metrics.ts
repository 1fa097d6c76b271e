import type { Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';
import { Counter } from 'prom-client';

/**
 * Registers metrics of calls to coprocessors, with Apollo Router's names: once for a process. They have no series before the
 * first call.
 */
export function createCoprocessorMetrics({ registry }: Metrics) {
  const outcomes = new Counter({
    name: 'apollo_router_operations_coprocessor_total',
    help: 'Calls to coprocessors, by stage and by whether they succeeded.',
    labelNames: ['coprocessor_stage', 'coprocessor_succeeded'],
    registers: [registry],
  });
  const durations = createHistogram({
    registry,
    name: 'apollo_router_operations_coprocessor_duration',
    help: 'Time until the response of a coprocessor, in seconds.',
    labelNames: ['coprocessor_stage'],
    buckets: [0.001, 0.005, 0.015, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 5, 10],
  });
  return {
    onResponse: (stage: string, durationMs: number): void =>
      durations.observe({ coprocessor_stage: stage }, durationMs / 1000),
    onOutcome: (stage: string, hasSucceeded: boolean): void =>
      outcomes.inc({ coprocessor_stage: stage, coprocessor_succeeded: String(hasSucceeded) }),
  };
}

export type CoprocessorMetrics = ReturnType<typeof createCoprocessorMetrics>;
