import type { Metrics } from '@meridian/telemetry';

import { requestErrorKinds } from '../errors/error-codes.ts';
import type { RequestError } from '../errors/request-error.ts';
import { loggedReason } from '../errors/request-error.ts';
import type { GraphMetrics } from './graph-metrics.ts';
import type { RequestNotes } from './request-notes.ts';
import type { RequestRecorder } from './request-recorder.ts';

/** Reports a request error to the metrics, and to the observers of its request. */
export type RequestErrorReport = (
  error: RequestError,
  request: { readonly notes: RequestNotes; readonly recorder: RequestRecorder | undefined },
) => void;

export function createRequestErrorReport({
  metrics,
  graphMetrics,
}: {
  readonly metrics: Pick<Metrics, 'problemsTotal'>;
  readonly graphMetrics: GraphMetrics;
}): RequestErrorReport {
  return (error, { notes, recorder }) => {
    const { code, cause } = error;
    metrics.problemsTotal.inc({ kind: code });
    graphMetrics.countRequestError(code);
    notes.onRequestError(code, requestErrorKinds[code].status);
    recorder?.onRequestError({ code, reason: loggedReason(error), cause });
  };
}
