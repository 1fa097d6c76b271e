import type { Logger, Metrics, SamplingDecision } from '@meridian/telemetry';

import type { AdminRoute } from '@meridian/http';
import type { ExplainSettings } from '../config/explain-config.ts';
import type { FindExplanations } from './open-explain.ts';
import { openExplain } from './open-explain.ts';
import { openTracing } from '../telemetry/open-tracing.ts';
import type { RecordRequest } from '../telemetry/record-requests.ts';
import { createRequestRecording } from '../telemetry/record-requests.ts';
import type { TracingConfig } from '../config/tracing-config.ts';

/** The observers of requests beside the pipeline. */
export interface Observation {
  /** The sampling decision of a trace; undefined when it is not recorded. */
  readonly sample: SamplingDecision | undefined;
  readonly record: RecordRequest;
  /** Routes of the admin listener about requests. */
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
  /** None where requests are not explained. */
  readonly findExplanations: FindExplanations;
  readonly close: () => Promise<void>;
}

export interface ObservationOptions {
  readonly config: {
    readonly propagatesTrace: boolean;
    readonly shutdownGraceMs: number;
    readonly tracing: TracingConfig | undefined;
    readonly explain: ExplainSettings | undefined;
  };
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export async function openObservation({ config, logger, metrics }: ObservationOptions): Promise<Observation> {
  const tracing =
    config.tracing &&
    (await openTracing(config.tracing, {
      logger,
      metrics,
      closeTimeoutMs: config.shutdownGraceMs * 0.2,
    }));
  const explain = config.explain && openExplain(config.explain);
  const followers = [tracing?.follower, explain?.follower].filter((follower) => follower !== undefined);
  return {
    sample: tracing?.sample,
    record: createRequestRecording(followers, {
      sendsTraceparent: config.propagatesTrace,
      onFailure: (error) => logger.error({ err: error }, 'a request could not be recorded'),
    }),
    adminRoutes: explain?.adminRoutes ?? {},
    findExplanations: explain?.find ?? (() => []),
    async close() {
      await tracing?.close();
    },
  };
}
