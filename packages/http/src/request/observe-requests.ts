import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { createRequestLog, createSampler, startTrace } from '@meridian/telemetry';
import type { Logger, Metrics, SamplingDecision, TraceContext } from '@meridian/telemetry';

import { finalStatus } from '../response/final-status.ts';
import { fillRequestContext } from './request-context.ts';
import type { RequestContext } from './request-context.ts';
import type { Middleware } from './middleware.ts';
import { targetOf } from './target.ts';

export interface ObserveRequestsOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** True when a client's `traceparent` is continued. Default: true. */
  readonly continueTrace?: boolean;
  /** Decides whether a trace is recorded. Default: the decision of the `traceparent`. */
  readonly sample?: SamplingDecision | undefined;
  /**
   * The share of requests whose lines are written, from 0 to 1. Default: 1. Processes with the same share write the
   * lines of the same traces. The line of a failed request is always written.
   */
  readonly requestLogRatio?: number | undefined;
}

/**
 * The first middleware: gives each request an id (`Request-Id` of its response) and a trace. At the end of the request
 * it writes one log line and one observation to the metrics.
 */
export function observeRequests({
  logger,
  metrics,
  continueTrace = true,
  sample,
  requestLogRatio = 1,
}: ObserveRequestsOptions): Middleware {
  const writeLine = createRequestLog(logger);
  const isInSample = createSampler({ ratio: requestLogRatio, isParentBased: false });
  const isLogged = (status: number, { trace, noted }: RequestContext): boolean =>
    requestLogRatio === 1 ||
    status >= 400 ||
    noted?.errorCodes !== undefined ||
    isInSample(trace.traceId, undefined);
  return (request, response, next) => {
    const trace = startTrace(continueTrace ? traceparentOf(request) : undefined, sample);
    const context = new ObservedRequest(trace, logger);
    fillRequestContext(request, context);
    // Later middleware may rewrite `url`. The log has the requested path, without the query, which may hold cursors.
    const path = targetOf(request).path;
    const method = request.method ?? '';
    metrics.activeRequests.add(method);
    response.on('close', () => {
      metrics.activeRequests.remove(method);
      const status = finalStatus(response);
      const { id, startedMs, route = 'unmatched', noted } = context;
      const durationMs = performance.now() - startedMs;
      metrics.requestDurationSeconds.observe(
        { http_route: route, http_request_method: method, http_response_status_code: status },
        durationMs / 1000,
      );
      if (isLogged(status, context)) {
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
    });
    next();
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
class ObservedRequest implements RequestContext {
  readonly id = randomUUID();
  readonly startedMs = performance.now();
  readonly responseFields = ['Request-Id', this.id];
  readonly trace: TraceContext;
  route: string | undefined = undefined;
  noted: RequestContext['noted'] = undefined;
  readonly #logger: Logger;
  #log: Logger | undefined = undefined;

  constructor(trace: TraceContext, logger: Logger) {
    this.trace = trace;
    this.#logger = logger;
  }

  /** Created on demand, because most requests log nothing of their own. */
  get log(): Logger {
    this.#log ??= this.#logger.child({ requestId: this.id, traceId: this.trace.traceId });
    return this.#log;
  }
}

/**
 * The `Request-Id` of a response to a request that does not pass `observeRequests`; a new one where it has none yet. A
 * client's own value is never used.
 */
export function requestIdOf(response: ServerResponse): string {
  const existing = response.getHeader('Request-Id');
  if (typeof existing === 'string') {
    return existing;
  }
  const id = randomUUID();
  response.setHeader('Request-Id', id);
  return id;
}

function traceparentOf(request: IncomingMessage): string | undefined {
  const header = request.headers['traceparent'];
  return typeof header === 'string' ? header : undefined;
}
