import type { Logger, Metrics, SamplingDecision } from '@meridian/telemetry';
import { createSampler, createSpanExporter } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import type { RequestFollower } from './record-requests.ts';
import { describeSpans } from './custom/span-attributes.ts';
import { traceSpans } from './trace-spans.ts';
import type { TracingConfig } from '../config/tracing-config.ts';

/** Traces requests. */
export interface Tracing {
  readonly sample: SamplingDecision;
  readonly follower: RequestFollower;
  /** Sends the waiting spans. */
  readonly close: () => Promise<void>;
}

export interface TracingSurroundings {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The time that a stopping gateway waits for its collector, which may be down. */
  readonly closeTimeoutMs: number;
}

/** Opens the exporter. It connects at the first export, so a collector that is down does not stop a start. */
export async function openTracing(
  { sampler, spanMode, spans, exporter: options }: TracingConfig,
  { logger, metrics, closeTimeoutMs }: TracingSurroundings,
): Promise<Tracing> {
  const errorsTotal = new Counter({
    name: 'apollo_router_telemetry_batch_processor_errors_total',
    help: 'Spans that were not exported, by the reason.',
    labelNames: ['name', 'error'],
    registers: [metrics.registry],
  });
  const exporter = await createSpanExporter({
    ...options,
    onDropped: (count, error) => errorsTotal.inc({ name: 'otlp-tracing', error }, count),
    onFailure: (error) => logger.warn({ err: error }, 'spans cannot be exported'),
  });
  const describe = describeSpans(spans);
  return {
    sample: createSampler(sampler),
    follower: {
      follows: ({ trace }) => trace.isSampled,
      take: (record) => exporter.export(traceSpans(record, spanMode, describe)),
    },
    close: () => exporter.close(closeTimeoutMs),
  };
}
