import type { Exchange, RequestContext } from '@meridian/http';

import type { RecordedOutcome, RequestRecord, TraceFields } from './request-recorder.ts';
import { RequestRecorder } from './request-recorder.ts';

/** Receives records of requests. */
export interface RequestFollower {
  /** True when the recorder follows this request. */
  readonly follows: (context: RequestContext) => boolean;
  readonly take: (record: RequestRecord) => void;
}

/** Starts to record a request; undefined, and free, when no recorder follows it. */
export type RecordRequest = (
  exchange: Exchange,
  context: RequestContext,
  notes: RecordedOutcome,
) => RequestRecorder | undefined;

export interface RequestRecordingOptions {
  readonly traceFields: TraceFields | undefined;
  /** Called when a recorder fails; the others go on. */
  readonly onFailure: (error: unknown) => void;
}

/** Records requests for their recorders. */
export function createRequestRecording(
  followers: readonly RequestFollower[],
  { onFailure, ...options }: RequestRecordingOptions,
): RecordRequest {
  return (exchange, context, notes) => {
    if (followers.length === 0) {
      return undefined;
    }
    const following = followers.filter(({ follows }) => follows(context));
    if (following.length === 0) {
      return undefined;
    }
    const { id: requestId, trace } = context;
    const { method, headers } = exchange;
    const recorder = new RequestRecorder({ requestId, trace, method, headers }, options);
    exchange.onEnd((status) => {
      const record = recorder.finish(context.route, status, notes);
      for (const { take } of following) {
        try {
          take(record);
        } catch (error) {
          onFailure(error);
        }
      }
    });
    return recorder;
  };
}
