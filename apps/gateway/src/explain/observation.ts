import type { IncomingMessage } from 'node:http';

import type { Logger, Metrics, TraceContext } from '@meridian/telemetry';
import { createPropagation, formatTraceparent } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { FindExplanations } from './open-explain.ts';
import { createExportErrors, pushMetrics } from '../telemetry/push-metrics.ts';
import type { TraceFields } from '../telemetry/request-recorder.ts';
import { createRequestRecording } from '../telemetry/record-requests.ts';

export interface ObservationOptions {
  readonly config: Pick<
    GatewayConfig,
    'propagatesTrace' | 'propagation' | 'shutdownGraceMs' | 'tracing' | 'metricsPush' | 'explain'
  >;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Opens the observers of requests beside the pipeline. */
export async function openObservation({ config, logger, metrics }: ObservationOptions) {
  const { tracing: traced, metricsPush, shutdownGraceMs } = config;
  const isExporting = traced !== undefined || metricsPush !== undefined;
  const exportErrors = isExporting ? createExportErrors(metrics) : undefined;
  const closeTimeoutMs = shutdownGraceMs * 0.2;
  const tracing =
    traced &&
    exportErrors &&
    (await (
      await import('../telemetry/open-tracing.ts')
    ).openTracing(traced, { logger, exportErrors, closeTimeoutMs }));
  const pusher =
    metricsPush && exportErrors && (await pushMetrics(metricsPush, { logger, metrics, exportErrors }));
  const explain = config.explain && (await import('./open-explain.ts')).openExplain(config.explain);
  const followers = [tracing?.follower, explain?.follower].filter((follower) => follower !== undefined);
  const propagation = config.propagation && (await createPropagation(config.propagation));
  const sample = tracing?.sample;
  /** The header fields of a trace for subgraphs. Absent where none are sent. */
  const traceFields: TraceFields | undefined =
    propagation?.fieldsOf ?? (config.propagatesTrace ? traceparentOf : undefined);
  /** Starts a request's span, where callers' traces have more fields than `traceparent`. */
  const beginTrace =
    propagation &&
    (({ headers }: Pick<IncomingMessage, 'headers'>): TraceContext => propagation.start(headers, sample));
  return {
    /** The sampling decision of a trace; undefined when it is not recorded. */
    sample,
    beginTrace,
    traceFields,
    record: createRequestRecording(followers, {
      traceFields,
      onFailure: (error) => logger.error({ err: error }, 'a request could not be recorded'),
    }),
    /** Routes of the admin listener about requests. */
    adminRoutes: explain?.adminRoutes ?? {},
    /** None where requests are not explained. */
    findExplanations: explain?.find ?? ((): ReturnType<FindExplanations> => []),
    async close(): Promise<void> {
      await Promise.all([tracing?.close(), pusher?.close(closeTimeoutMs)]);
    },
  };
}

function traceparentOf(trace: TraceContext): Readonly<Record<string, string>> {
  return { traceparent: formatTraceparent(trace) };
}

export type Observation = Awaited<ReturnType<typeof openObservation>>;
