import type { IncomingMessage } from 'node:http';

import type { Logger, Metrics, SamplingDecision, TraceContext } from '@meridian/telemetry';
import { createPropagation, formatTraceparent } from '@meridian/telemetry';

import type { AdminRoute } from '@meridian/http';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { FindExplanations } from './open-explain.ts';
import { openExplain } from './open-explain.ts';
import { createExportErrors } from '../telemetry/export-errors.ts';
import { openTracing } from '../telemetry/open-tracing.ts';
import type { RecordRequest } from '../telemetry/record-requests.ts';
import type { TraceFields } from '../telemetry/request-recorder.ts';
import { createRequestRecording } from '../telemetry/record-requests.ts';
import { pushMetrics } from '../telemetry/push-metrics.ts';

/** The observers of requests beside the pipeline. */
export interface Observation {
  /** The sampling decision of a trace; undefined when it is not recorded. */
  readonly sample: SamplingDecision | undefined;
  /** Starts a request's span, where callers' traces have more fields than `traceparent`. */
  readonly beginTrace: ((request: Pick<IncomingMessage, 'headers'>) => TraceContext) | undefined;
  /** The header fields of a trace for subgraphs. Absent where none are sent. */
  readonly traceFields: TraceFields | undefined;
  readonly record: RecordRequest;
  /** Routes of the admin listener about requests. */
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
  /** None where requests are not explained. */
  readonly findExplanations: FindExplanations;
  readonly close: () => Promise<void>;
}

export interface ObservationOptions {
  readonly config: Pick<
    GatewayConfig,
    'propagatesTrace' | 'propagation' | 'shutdownGraceMs' | 'tracing' | 'metricsPush' | 'explain'
  >;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export async function openObservation({ config, logger, metrics }: ObservationOptions): Promise<Observation> {
  const { tracing: traced, metricsPush, shutdownGraceMs } = config;
  const isExporting = traced !== undefined || metricsPush !== undefined;
  const exportErrors = isExporting ? createExportErrors(metrics) : undefined;
  const closeTimeoutMs = shutdownGraceMs * 0.2;
  const tracing =
    traced && exportErrors && (await openTracing(traced, { logger, exportErrors, closeTimeoutMs }));
  const pusher =
    metricsPush && exportErrors && (await pushMetrics(metricsPush, { logger, metrics, exportErrors }));
  const explain = config.explain && openExplain(config.explain);
  const followers = [tracing?.follower, explain?.follower].filter((follower) => follower !== undefined);
  const propagation = config.propagation && (await createPropagation(config.propagation));
  const sample = tracing?.sample;
  const traceFields = propagation?.fieldsOf ?? (config.propagatesTrace ? traceparentOf : undefined);
  return {
    sample,
    beginTrace: propagation && (({ headers }) => propagation.start(headers, sample)),
    traceFields,
    record: createRequestRecording(followers, {
      traceFields,
      onFailure: (error) => logger.error({ err: error }, 'a request could not be recorded'),
    }),
    adminRoutes: explain?.adminRoutes ?? {},
    findExplanations: explain?.find ?? (() => []),
    async close() {
      await Promise.all([tracing?.close(), pusher?.close(closeTimeoutMs)]);
    },
  };
}

function traceparentOf(trace: TraceContext): Readonly<Record<string, string>> {
  return { traceparent: formatTraceparent(trace) };
}
