import type { Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

/** Counts what collectors did not get. */
export type ExportErrors = Counter<'name' | 'error'>;

/** Registers it: once for a process that exports. */
export function createExportErrors({ registry }: Metrics): ExportErrors {
  return new Counter({
    name: 'apollo_router_telemetry_batch_processor_errors_total',
    help: 'Spans, and messages with all metrics, that were not exported, by the reason.',
    labelNames: ['name', 'error'],
    registers: [registry],
  });
}
