import type { Logger, Metrics, SamplingDecision } from '@meridian/telemetry';

import { openTracing } from './open-tracing.ts';
import type { RecordRequest } from './record-requests.ts';
import { createRequestRecording } from './record-requests.ts';
import type { TracingConfig } from './tracing-config.ts';

/** What watches requests from beside the pipeline. */
export interface Observation {
  /** Whether a trace is recorded; undefined where none is. */
  readonly sample: SamplingDecision | undefined;
  readonly record: RecordRequest;
  readonly close: () => Promise<void>;
}

export interface ObservationOptions {
  readonly config: {
    readonly propagatesTrace: boolean;
    readonly shutdownGraceMs: number;
    readonly tracing: TracingConfig | undefined;
  };
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export function openObservation({ config, logger, metrics }: ObservationOptions): Observation {
  const tracing =
    config.tracing &&
    openTracing(config.tracing, { logger, metrics, closePatienceMs: config.shutdownGraceMs * 0.2 });
  return {
    sample: tracing?.sample,
    record: createRequestRecording(tracing === undefined ? [] : [tracing.follower], {
      sendsTraceparent: config.propagatesTrace,
    }),
    async close() {
      await tracing?.close();
    },
  };
}
