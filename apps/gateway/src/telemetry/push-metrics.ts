import type { Logger, Metrics, MetricsPusher } from '@meridian/telemetry';
import { createMetricsPusher } from '@meridian/telemetry';

import type { MetricsPushConfig } from '../config/metrics-config.ts';
import type { ExportErrors } from './export-errors.ts';

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
