import type { RouterConfig } from '@meridian/router-config';
import { RouterConfigError } from '@meridian/router-config';
import type { MetricView } from '@meridian/telemetry';

import { otlpDestination, resourceOf } from './otlp-config.ts';

/** The settings for sending metrics. */
export type MetricsPushConfig = NonNullable<ReturnType<typeof metricsConfig>['metricsPush']>;

/** Reads the settings of metrics. */
export function metricsConfig({ telemetry }: RouterConfig) {
  const { common, otlp } = telemetry.exporters.metrics;
  const { buckets, cardinality_limit: cardinalityLimit, views } = common;
  const areAsTheyAre = buckets === undefined && cardinalityLimit === undefined && views.length === 0;
  return {
    /** Undefined where all metrics are shown as they are. */
    metricViews: areAsTheyAre ? undefined : { buckets, cardinalityLimit, views: views.map(viewOf), inUse },
    /** Undefined where metrics are not sent. */
    metricsPush: otlp.enabled
      ? {
          destination: otlpDestination(otlp, 'metrics'),
          resource: resourceOf(common),
          temporality: otlp.temporality,
          intervalMs: otlp.batch_processor.scheduled_delay,
          exportTimeoutMs: otlp.batch_processor.max_export_timeout,
        }
      : undefined,
  };
}

function inUse(view: MetricView, name: string): Error {
  return new RouterConfigError([
    `telemetry.exporters.metrics.common.views: ${view.name} cannot be renamed to ${view.rename}: another metric has the name ${name}`,
  ]);
}

type ConfiguredView = RouterConfig['telemetry']['exporters']['metrics']['common']['views'][number];

function viewOf({ aggregation, allowed_attribute_keys: allowed, ...view }: ConfiguredView): MetricView {
  return {
    name: view.name,
    rename: view.rename,
    description: view.description,
    unit: view.unit,
    isDropped: aggregation === 'drop',
    buckets: typeof aggregation === 'object' ? aggregation.histogram.buckets : undefined,
    allowedLabels: allowed && new Set(allowed),
    cardinalityLimit: view.cardinality_limit,
  };
}
