import type { RouterConfig } from '@meridian/router-config';
import type { SamplerOptions, SpanExporterOptions } from '@meridian/telemetry';

/** The settings for recording and exporting traces. */
export interface TracingConfig {
  readonly sampler: SamplerOptions;
  readonly spanMode: SpanMode;
  /** The attributes of spans. */
  readonly spans: RouterConfig['telemetry']['instrumentation']['spans'];
  readonly exporter: Omit<SpanExporterOptions, 'onDropped' | 'onFailure'>;
}

/**
 * `spec_compliant`: OpenTelemetry's conventions, and one span for each subgraph fetch. `deprecated`: the spans and the attributes
 * that Apollo Router had before 2.0.
 */
export type SpanMode = RouterConfig['telemetry']['instrumentation']['spans']['mode'];

/** The default address of collectors. */
const defaultEndpoint = 'http://127.0.0.1:4318';

/** Reads the tracing settings; undefined when traces are not exported. */
export function tracingConfig({ telemetry }: RouterConfig): TracingConfig | undefined {
  const { common, otlp } = telemetry.exporters.tracing;
  if (!otlp.enabled) {
    return undefined;
  }
  const { batch_processor: batches } = otlp;
  const endpoint = otlp.endpoint === 'default' ? defaultEndpoint : otlp.endpoint;
  return {
    sampler: { ratio: common.sampler, isParentBased: common.parent_based_sampler },
    spanMode: telemetry.instrumentation.spans.mode,
    spans: telemetry.instrumentation.spans,
    exporter: {
      url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
      headers: Object.fromEntries(otlp.http.headers),
      resource: { 'service.name': common.service_name, ...Object.fromEntries(common.resource) },
      scheduledDelayMs: batches.scheduled_delay,
      maxQueueSize: batches.max_queue_size,
      maxBatchSize: batches.max_export_batch_size,
      exportTimeoutMs: batches.max_export_timeout,
    },
  };
}
