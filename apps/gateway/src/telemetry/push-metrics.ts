import type { Logger, Metrics, MetricsPusher } from '@meridian/telemetry';
import { createMetricsPusher } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import type { MetricsPushConfig } from '../config/metrics-config.ts';

export interface PushSurroundings {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly exportErrors: ExportErrors;
}

/** Starts to send the metrics of this process to a collector, which may be down. */
export async function pushMetrics(
  config: MetricsPushConfig,
  { logger, metrics, exportErrors }: PushSurroundings,
): Promise<MetricsPusher> {
  return createMetricsPusher({
    ...config,
    registry: metrics.registry,
    onFailure(error, isFirst) {
      exportErrors.inc({ name: 'otlp-metrics', error: 'export failed' });
      if (isFirst) {
        logger.warn({ err: error, exporter: 'otlp-metrics' }, 'metrics cannot be exported');
      }
    },
  });
}

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
