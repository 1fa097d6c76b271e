import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { HttpResponse, RequestContext } from '@meridian/http';
import {
  ClientDisconnected,
  checkTarget,
  observeRequests,
  requestContext,
  requestDeadline,
  sendResponse,
} from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from './config/gateway-config.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import type { Observation } from './process/observation.ts';
import type { RequestObservers } from './telemetry/report-request-error.ts';
import { RequestNotes } from './telemetry/request-notes.ts';

/** Serves one request to the graph, rejected ones included. Rejects when the client has hung up. */
export type HandleRequest = (request: IncomingMessage, watch: RequestWatch) => Promise<HttpResponse>;

/**
 * State of a request while it is under way: `context` has its id, trace and log; `notes` collect what its log line and
 * metrics say; `recorder` is there if the request is recorded for a trace or for `pnpm explain`.
 */
export interface RequestWatch extends RequestObservers {
  readonly context: RequestContext;
}

export interface GraphEndpointOptions {
  readonly config: Pick<GatewayConfig, 'http' | 'propagatesTrace' | 'requestLogRatio'>;
  readonly handleRequest: HandleRequest;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly graphMetrics: GraphMetrics;
  readonly observation: Observation;
}

/**
 * Creates the HTTP host of the pipeline: request ids and traces, the deadline, the redirect, and the cancellation of
 * requests whose client has hung up. It is plain `node:http`: a framework would cost every request more than the
 * pipeline does.
 */
export function createGraphEndpoint(options: GraphEndpointOptions): RequestListener {
  const { config, handleRequest, logger, metrics, graphMetrics, observation } = options;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const context = requestContext(request);
    const notes = new RequestNotes(request.headers);
    context.noted = notes;
    const recorder = observation.record(request, response, context);
    try {
      sendResponse(request, response, await handleRequest(request, { context, notes, recorder }));
    } catch (error) {
      notes.onCancelled();
      if (!(error instanceof ClientDisconnected)) {
        context.log.error({ err: error }, 'a request ended without a response');
      }
      response.destroy();
    }
    graphMetrics.observeOperation(notes, performance.now() - context.startedMs);
  };

  const observe = observeRequests({
    logger,
    metrics,
    continueTrace: config.propagatesTrace,
    sample: observation.sample,
    requestLogRatio: config.requestLogRatio,
  });
  const limitTime = requestDeadline(config.http.requestTimeoutMs);
  return (request, response) => {
    void observe(request, response, () => {
      const { responseFields, trace } = requestContext(request);
      responseFields.push('apollo-trace-id', trace.traceId);
      void limitTime(request, response, () => {
        redirectOr(request, response, () => void respond(request, response));
      });
    });
  };
}

/** Redirects a path with a trailing slash. An undecodable path falls through and gets 404. */
function redirectOr(request: IncomingMessage, response: ServerResponse, respond: () => void): void {
  try {
    void checkTarget(request, response, respond);
  } catch {
    respond();
  }
}
