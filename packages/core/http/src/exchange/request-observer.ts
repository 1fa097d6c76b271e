import { randomUUID } from 'node:crypto';

import { createRequestLog, createSampler, startTrace } from '@meridian/telemetry';
import type { Logger, Metrics, SamplingDecision, TraceContext } from '@meridian/telemetry';

import type { RequestHead } from './exchange.ts';
import type { RequestContext } from './request-context.ts';
import { targetOf } from './target.ts';

export interface ObserveRequestsOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** True when a client's `traceparent` is continued. Default: true. */
  readonly continueTrace?: boolean;
  /** Starts a request's span. Default: from the `traceparent`, by `continueTrace` and `sample`. */
  readonly beginTrace?: ((request: RequestHead) => TraceContext) | undefined;
  /** Decides whether a trace is recorded. Default: the decision of the `traceparent`. */
  readonly sample?: SamplingDecision | undefined;
  /**
   * The share of requests whose lines are written, from 0 to 1. Default: 1. Processes with the same share write the
   * lines of the same traces. The line of a failed request is always written.
   */
  readonly requestLogRatio?: number | undefined;
}

/** Gives each request an id and a trace, and observes its end. */
export interface RequestObserver {
  begin(request: RequestHead): ObservedRequest;
  /**
   * Writes one log line and one observation to the metrics.
   *
   * @param status of the response; 499 where the client did not get all of it
   */
  end(request: ObservedRequest, status: number): void;
}

export function createRequestObserver({
  logger,
  metrics,
  continueTrace = true,
  beginTrace = (request) => startTrace(continueTrace ? traceparentOf(request) : undefined, sample),
  sample,
  requestLogRatio = 1,
}: ObserveRequestsOptions): RequestObserver {
  const writeLine = createRequestLog(logger);
  const isInSample = createSampler({ ratio: requestLogRatio, isParentBased: false });
  const isLogged = (status: number, { trace, noted }: RequestContext): boolean =>
    requestLogRatio === 1 ||
    status >= 400 ||
    noted?.errorCodes !== undefined ||
    (requestLogRatio > 0 && isInSample(trace.traceId, undefined));
  return {
    begin(request) {
      const trace = beginTrace(request);
      const observed = new ObservedRequest(request, trace, { logger, metrics });
      metrics.activeRequests.add(observed.method);
      return observed;
    },
    end(observed, status) {
      const { id, startedMs, trace, method, path, route = 'unmatched', noted } = observed;
      metrics.activeRequests.remove(method);
      const durationMs = performance.now() - startedMs;
      observed.measure(status, durationMs);
      if (isLogged(status, observed)) {
        const { traceId } = trace;
        writeLine(
          {
            requestId: id,
            traceId,
            method,
            path,
            route,
            status,
            durationMs: roundToMicroseconds(durationMs),
          },
          noted,
        );
      }
    },
  };
}

/** Rounds milliseconds: further digits would only make lines longer. */
function roundToMicroseconds(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}

/**
 * A class, because an object literal with a getter becomes a dictionary: to make one and to use it takes 25 times as
 * long.
 */
export class ObservedRequest implements RequestContext {
  readonly id = randomUUID();
  readonly startedMs = performance.now();
  readonly trace: TraceContext;
  readonly method: string;
  /** As requested, without the query, which may hold cursors. Later middleware may rewrite `url`. */
  readonly path: string;
  route: string | undefined = undefined;
  noted: RequestContext['noted'] = undefined;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  #isMeasured = false;
  #log: Logger | undefined = undefined;
  #responseFields: string[] | undefined = undefined;

  constructor(
    request: RequestHead,
    trace: TraceContext,
    { logger, metrics }: Pick<ObserveRequestsOptions, 'logger' | 'metrics'>,
  ) {
    this.method = request.method ?? '';
    this.path = targetOf(request).path;
    this.trace = trace;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  measure(status: number, durationMs = performance.now() - this.startedMs): void {
    if (this.#isMeasured) {
      return;
    }
    this.#isMeasured = true;
    this.#metrics.requestDurationSeconds.observe(
      {
        http_route: this.route ?? 'unmatched',
        http_request_method: this.method,
        http_response_status_code: status,
      },
      durationMs / 1000,
    );
  }

  get responseFields(): string[] {
    this.#responseFields ??= ['Request-Id', this.id];
    return this.#responseFields;
  }

  /** Created on demand, because most requests log nothing of their own. */
  get log(): Logger {
    this.#log ??= this.#logger.child({ requestId: this.id, traceId: this.trace.traceId });
    return this.#log;
  }
}

function traceparentOf(request: RequestHead): string | undefined {
  const header = request.headers['traceparent'];
  return typeof header === 'string' ? header : undefined;
}
