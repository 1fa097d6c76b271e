import type { SubgraphInterceptor } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import { DeadlineExceeded, nodeHttp } from '@meridian/http';
import type { HistogramSeries, Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';
import { Counter } from 'prom-client';

/** The outcome of a request to a subgraph. */
interface Outcome {
  /** Empty where there was no response. */
  readonly http_response_status_code: string;
  /** Empty when a response arrived, which can still hold GraphQL errors. */
  readonly error_type: string;
}

/** Replaces status codes that a subgraph may invent: a label takes few values. */
const otherStatus = '(others)';
/** The client hung up; nothing is wrong with the subgraph. */
const cancelled = 'CANCELLED';

/** Registers metrics of requests to subgraphs, with OpenTelemetry's names as in Apollo Router: once for a process. */
export function createSubgraphMetrics({ registry }: Metrics) {
  const durations = createHistogram({
    registry,
    name: 'http_client_request_duration_seconds',
    help: 'Time for a request to a subgraph, from sending it to the end of its response, in seconds.',
    labelNames: ['subgraph_name', 'http_response_status_code', 'error_type'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const otherwiseWritten = new Counter({
    name: 'meridian_slow_path_responses_total',
    help: 'Responses of subgraphs without errors that took the slow path, for example because of the order of their keys.',
    labelNames: ['subgraph_name'],
    registers: [registry],
  });
  const seriesOf = (subgraph_name: string, outcome: Outcome): HistogramSeries =>
    durations.series({ subgraph_name, ...outcome });
  return {
    /** Measures the requests to a subgraph. */
    measureCalls: <Run>(subgraph: string): SubgraphInterceptor<Run> => {
      /** The series of the status 200, which nearly all responses have. */
      let successes: HistogramSeries | undefined;
      const seriesOfResponse = (status: number): HistogramSeries =>
        status === 200
          ? (successes ??= seriesOf(subgraph, outcomeOf(200)))
          : seriesOf(subgraph, outcomeOf(status));
      return (request, next) => {
        const startMs = performance.now();
        const response = next(request);
        // Beside the caller: a response that was measured first would cost it another promise.
        response.then(
          ({ status = 200 }) => seriesOfResponse(status).observe((performance.now() - startMs) / 1000),
          (error: unknown) =>
            seriesOf(subgraph, failedOutcome(error)).observe((performance.now() - startMs) / 1000),
        );
        return response;
      };
    },
    /** Counts a response that took the slow path. */
    countSlowPathResponse: (subgraph: string): void => otherwiseWritten.inc({ subgraph_name: subgraph }),
  };
}

function outcomeOf(status: number | undefined): Outcome {
  return { http_response_status_code: statusLabel(status), error_type: '' };
}

/** OpenTelemetry: for a response with an error status, the status is the error type. */
function failedOutcome(error: unknown): Outcome {
  if (error instanceof SubgraphFailure) {
    const status = statusLabel(error.status);
    return { http_response_status_code: status, error_type: status === '' ? error.code : status };
  }
  const error_type = error instanceof DeadlineExceeded ? 'GATEWAY_TIMEOUT' : cancelled;
  return { http_response_status_code: '', error_type };
}

function statusLabel(status: number | undefined): string {
  if (status === undefined) {
    return '';
  }
  return status in nodeHttp.STATUS_CODES ? String(status) : otherStatus;
}
