import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { Answer, RequestContext } from '@meridian/http';
import {
  ClientDisconnected,
  checkTarget,
  nameRoute,
  observeRequests,
  requestContext,
  requestDeadline,
  sendAnswer,
} from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from './config/gateway-config.ts';
import { refusalKinds } from './errors/error-codes.ts';
import { createCrossOrigin } from './pipeline/1-receive/cross-origin.ts';
import type { ResponseMediaType } from './operation/response-media-type.ts';
import { responseMediaType } from './pipeline/1-receive/media-types.ts';
import { refusalAnswer } from './pipeline/7-respond/request-error-response.ts';
import { refusalFor } from './errors/to-request-error.ts';
import { loggableReason, refusal } from './errors/request-error.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import type { Observation } from './telemetry/observation.ts';
import { RequestNotes } from './telemetry/request-notes.ts';
import type { RequestRecorder } from './telemetry/request-recorder.ts';

/** Answers one request to the graph; whatever it throws is answered for it. */
export type AnswerGraphql = (
  request: IncomingMessage,
  mediaType: ResponseMediaType,
  watch: RequestWatch,
) => Promise<Answer>;

/** What is kept of a request while it is under way. */
export interface RequestWatch {
  readonly startedMs: number;
  readonly context: RequestContext;
  readonly notes: RequestNotes;
  /** Absent where nobody follows the request. */
  readonly recorder: RequestRecorder | undefined;
}

export interface GraphEndpointOptions {
  readonly config: Pick<
    GatewayConfig,
    'cors' | 'graphPaths' | 'propagatesTrace' | 'requestTimeoutMs' | 'requestLogRatio'
  >;
  readonly answerGraphql: AnswerGraphql;
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
  const { config, answerGraphql, logger, metrics, graphMetrics, observation } = options;
  const crossOrigin = createCrossOrigin(config.cors);

  const answerTo = async (request: IncomingMessage, watch: RequestWatch): Promise<Answer> => {
    const { context, notes, recorder } = watch;
    let mediaType: ResponseMediaType = 'application/json';
    try {
      const [path = ''] = (request.url ?? '').split('?', 1);
      if (!config.graphPaths.includes(path)) {
        throw noGraphAt(path, config.graphPaths);
      }
      nameRoute(request, path);
      const preflight = crossOrigin.preflightAnswer(request);
      if (preflight !== undefined) {
        return preflight;
      }
      mediaType = responseMediaType(request.headers.accept);
      return await answerGraphql(request, mediaType, watch);
    } catch (error) {
      const refused = refusalFor(error, context.log);
      metrics.problemsTotal.inc({ kind: refused.code });
      graphMetrics.countRefusal(refused.code);
      notes.onRefused(refused.code, refusalKinds[refused.code].status);
      recorder?.onRefused({ code: refused.code, reason: loggableReason(refused), cause: refused.cause });
      return refusalAnswer(refused, { mediaType, headers: request.headers }, context.trace.traceId);
    }
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const context = requestContext(request);
    const startedMs = performance.now();
    const notes = new RequestNotes(request.headers);
    context.noted = notes;
    const recorder = observation.record(request, response, context);
    try {
      const answer = await answerTo(request, { startedMs, context, notes, recorder });
      sendAnswer(request, response, crossOrigin.readable(answer, request));
    } catch (error) {
      notes.onCancelled();
      if (!(error instanceof ClientDisconnected)) {
        context.log.error({ err: error }, 'a request ended without an answer');
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
  const limitTime = requestDeadline(config.requestTimeoutMs);
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
  return refusal(
    'NOT_FOUND',
    above === undefined
      ? 'The graph endpoint is not at this path'
      : `The graph endpoint is at ${above}, not at this path: send the identifier of an operation as \`documentId\``,
  );
}

/** Redirects a path with a trailing slash. One that cannot be decoded is no path of the gateway's, and is told so by it. */
function redirectOr(request: IncomingMessage, response: ServerResponse, respond: () => void): void {
  try {
    void checkTarget(request, response, respond);
  } catch {
    respond();
  }
}
