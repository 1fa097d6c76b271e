import type { RequestContext } from '@meridian/http';
import type { Logger, SpanExporter, TraceContext } from '@meridian/telemetry';
import { createSampler, createSpanExporter } from '@meridian/telemetry';

import type { ExportErrors } from './push-metrics.ts';
import type { RequestRecord } from './request-recorder.ts';
import { describeSpans } from './custom/span-attributes.ts';
import { traceSpans } from './trace-spans.ts';
import type { SpanExporterConfig, TracingConfig } from '../config/tracing-config.ts';

export interface TracingSurroundings {
  readonly logger: Logger;
  readonly exportErrors: ExportErrors;
  /** The time that a stopping gateway waits for its collector, which may be down. */
  readonly closeTimeoutMs: number;
}

/** Opens the exporters of traces. They connect at the first export, so a collector that is down does not stop a start. */
export async function openTracing(
  { sampler, spanMode, spans: configuredSpans, exporters: configured }: TracingConfig,
  { logger, exportErrors, closeTimeoutMs }: TracingSurroundings,
) {
  const open = async ({ name, ratio, ...options }: SpanExporterConfig): Promise<OpenExporter> => {
    const isInShare =
      ratio === undefined ? undefined : createSampler({ ratio, isParentBased: sampler.isParentBased });
    return {
      ...(await createSpanExporter({
        ...options,
        onDropped: (count, error) => exportErrors.inc({ name, error }, count),
        onFailure: (error) => logger.warn({ err: error, exporter: name }, 'spans cannot be exported'),
      })),
      takes: ({ traceId, parentSpanId }) =>
        isInShare === undefined || isInShare(traceId, parentSpanId === undefined ? undefined : true),
    };
  };
  const exporters = await Promise.all(configured.map(open));
  const describe = describeSpans(configuredSpans);
  return {
    sample: createSampler(sampler),
    follower: {
      follows: ({ trace }: RequestContext): boolean => trace.isSampled,
      take(record: RequestRecord): void {
        const taking = exporters.filter(({ takes }) => takes(record.trace));
        if (taking.length > 0) {
          const spans = traceSpans(record, spanMode, describe);
          for (const exporter of taking) {
            exporter.export(spans);
          }
        }
      },
    },
    /** Sends the waiting spans. */
    close: async (): Promise<void> =>
      void (await Promise.all(exporters.map((exporter) => exporter.close(closeTimeoutMs)))),
  };
}

interface OpenExporter extends SpanExporter {
  /** True if it gets this recorded trace. */
  readonly takes: (trace: TraceContext) => boolean;
}
