import type { RouterConfig } from '@meridian/router-config';
import type { PropagationFormat, PropagationOptions, SpanExporterOptions } from '@meridian/telemetry';

import { otlpDestination, resourceOf, withPath } from './otlp-config.ts';

/** The settings for recording and exporting traces. */
export type TracingConfig = NonNullable<ReturnType<typeof tracingConfig>>;

export interface SpanExporterConfig extends Omit<SpanExporterOptions, 'onDropped' | 'onFailure'> {
  /** The name in metrics. */
  readonly name: 'otlp-tracing' | 'zipkin-tracing';
  /** The share of traces that it gets, from 0 to 1; all recorded ones without it. */
  readonly ratio: number | undefined;
}

/**
 * `spec_compliant`: OpenTelemetry's conventions, and one span for each subgraph fetch. `deprecated`: the spans and the attributes
 * that Apollo Router had before 2.0.
 */
export type SpanMode = RouterConfig['telemetry']['instrumentation']['spans']['mode'];

/** The default address of Zipkin. */
const defaultZipkin = 'http://127.0.0.1:9411/api/v2/spans';

/** Reads the tracing settings; undefined when traces are not exported. */
export function tracingConfig({ telemetry }: RouterConfig) {
  const { common, otlp, zipkin } = telemetry.exporters.tracing;
  const shared = { resource: resourceOf(common), maxAttributes: common.max_attributes_per_span };
  const exporters: SpanExporterConfig[] = [];
  if (otlp.enabled) {
    exporters.push({
      ...shared,
      ...batchesOf(otlp.batch_processor),
      name: 'otlp-tracing',
      ratio: otlp.sampler,
      destination: otlpDestination(otlp, 'traces'),
    });
  }
  if (zipkin.enabled) {
    exporters.push({
      ...shared,
      ...batchesOf(zipkin.batch_processor),
      name: 'zipkin-tracing',
      ratio: zipkin.sampler,
      destination: {
        protocol: 'zipkin',
        url: zipkin.endpoint === 'default' ? defaultZipkin : withPath(zipkin.endpoint, '/api/v2/spans'),
      },
    });
  }
  return exporters.length === 0
    ? undefined
    : {
        sampler: { ratio: common.sampler, isParentBased: common.parent_based_sampler },
        spanMode: telemetry.instrumentation.spans.mode,
        /** The attributes of spans. */
        spans: telemetry.instrumentation.spans,
        exporters,
      };
}

type BatchProcessor = RouterConfig['telemetry']['exporters']['tracing']['otlp']['batch_processor'];

function batchesOf(
  batches: BatchProcessor,
): Pick<SpanExporterConfig, 'scheduledDelayMs' | 'maxQueueSize' | 'maxBatchSize' | 'exportTimeoutMs'> {
  return {
    scheduledDelayMs: batches.scheduled_delay,
    maxQueueSize: batches.max_queue_size,
    maxBatchSize: batches.max_export_batch_size,
    exportTimeoutMs: batches.max_export_timeout,
  };
}

const formats = [
  'baggage',
  'trace_context',
  'zipkin',
  'jaeger',
  'aws_xray',
] as const satisfies PropagationFormat[];

/** Reads the header fields of traces; undefined where they are `traceparent` alone, or none. */
export function propagationOptions({ telemetry }: RouterConfig): PropagationOptions | undefined {
  const { request, ...propagated } = telemetry.exporters.tracing.propagation;
  const used = formats.filter((format) => propagated[format]);
  const isPlain = used.every((format) => format === 'trace_context') && request.header_name === undefined;
  return isPlain
    ? undefined
    : {
        formats: used,
        request:
          request.header_name === undefined
            ? undefined
            : { headerName: request.header_name, format: request.format },
      };
}
