import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { HttpResponse, RequestContext } from '@meridian/http';
import {
  ClientDisconnected,
  checkTarget,
  nameRoute,
  observeRequests,
  requestContext,
  requestDeadline,
  sendResponse,
} from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from './config/gateway-config.ts';
import { requestErrorKinds } from './errors/error-codes.ts';
import { createCrossOrigin } from './pipeline/1-receive/cross-origin.ts';
import type { ResponseMediaType } from './operation/response-media-type.ts';
import { responseMediaType } from './pipeline/1-receive/media-types.ts';
import { requestErrorResponse } from './pipeline/7-respond/request-error-response.ts';
import { toRequestError } from './errors/to-request-error.ts';
import { loggedReason, requestError } from './errors/request-error.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import type { Observation } from './process/observation.ts';
import { RequestNotes } from './telemetry/request-notes.ts';
import type { RequestRecorder } from './telemetry/request-recorder.ts';

/** Answers one request to the graph; whatever it throws is answered for it. */
export type HandleGraphqlRequest = (
  request: IncomingMessage,
  mediaType: ResponseMediaType,
  watch: RequestWatch,
) => Promise<HttpResponse>;

/** State of a request while it is under way. */
export interface RequestWatch {
  readonly startedMs: number;
  readonly context: RequestContext;
  readonly notes: RequestNotes;
  /** Absent when the request is not recorded. */
  readonly recorder: RequestRecorder | undefined;
}

export interface GraphEndpointOptions {
  readonly config: Pick<GatewayConfig, 'http' | 'propagatesTrace' | 'requestLogRatio'>;
  readonly handleGraphqlRequest: HandleGraphqlRequest;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly graphMetrics: GraphMetrics;
  readonly observation: Observation;
}

/**
 * Creates the face that the gateway shows to HTTP: request ids and traces, the deadline, the one path that there is, and
 * an answer for every failure. It is plain `node:http`: a framework would cost every request more than the pipeline does.
 */
export function createGraphEndpoint(options: GraphEndpointOptions): RequestListener {
  const { config, handleGraphqlRequest, logger, metrics, graphMetrics, observation } = options;
  const crossOrigin = createCrossOrigin(config.http.cors);

  const responseTo = async (request: IncomingMessage, watch: RequestWatch): Promise<HttpResponse> => {
    const { context, notes, recorder } = watch;
    let mediaType: ResponseMediaType = 'application/json';
    try {
      const [path = ''] = (request.url ?? '').split('?', 1);
      if (!config.http.graphPaths.includes(path)) {
        throw noGraphAt(path, config.http.graphPaths);
      }
      nameRoute(request, path);
      const preflight = crossOrigin.preflightResponse(request);
      if (preflight !== undefined) {
        return preflight;
      }
      mediaType = responseMediaType(request.headers.accept);
      return await handleGraphqlRequest(request, mediaType, watch);
    } catch (error) {
      const requestError = toRequestError(error, context.log);
      metrics.problemsTotal.inc({ kind: requestError.code });
      graphMetrics.countRequestError(requestError.code);
      notes.onRequestError(requestError.code, requestErrorKinds[requestError.code].status);
      recorder?.onRequestError({
        code: requestError.code,
        reason: loggedReason(requestError),
        cause: requestError.cause,
      });
      return requestErrorResponse(
        requestError,
        { mediaType, headers: request.headers },
        context.trace.traceId,
      );
    }
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const context = requestContext(request);
    const startedMs = performance.now();
    const notes = new RequestNotes(request.headers);
    context.noted = notes;
    const recorder = observation.record(request, response, context);
    try {
      const httpResponse = await responseTo(request, { startedMs, context, notes, recorder });
      sendResponse(request, response, crossOrigin.readable(httpResponse, request));
    } catch (error) {
      notes.onCancelled();
      if (!(error instanceof ClientDisconnected)) {
        context.log.error({ err: error }, 'a request ended without a response');
      }
      response.destroy();
    }
    graphMetrics.observeOperation(notes, performance.now() - startedMs);
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
      response.setHeader('apollo-trace-id', requestContext(request).trace.traceId);
      void limitTime(request, response, () => {
        redirectOr(request, response, () => void respond(request, response));
      });
    });
  };
}

/** Says where the graph is to a client that puts the identifier of an operation into the path, as some servers take it. */
function noGraphAt(path: string, graphPaths: readonly string[]): Error {
  const above = graphPaths.find((graphPath) => graphPath !== '/' && path.startsWith(`${graphPath}/`));
  return requestError(
    'NOT_FOUND',
    above === undefined
      ? 'The graph endpoint is not at this path'
      : `The graph endpoint is at ${above}, not at this path: send the identifier of an operation as \`documentId\``,
  );
}

/** Redirects a path with a trailing slash. An undecodable path falls through and gets 404. */
function redirectOr(request: IncomingMessage, response: ServerResponse, respond: () => void): void {
  try {
    void checkTarget(request, response, respond);
  } catch {
    respond();
  }
}
