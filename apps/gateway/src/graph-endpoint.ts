import type { StopSignal } from '@meridian/cancellation';
import { DeadlineQueue, StopController } from '@meridian/cancellation';
import type { Exchange, HttpResponse, RequestContext, ServeExchange } from '@meridian/http';
import {
  ClientDisconnected,
  DeadlineExceeded,
  clientClosedStatus,
  createRequestObserver,
  trailingSlashRedirect,
} from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { GatewayConfig } from './config/gateway-config.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import type { Observation } from './explain/observation.ts';
import type { RequestObservers } from './telemetry/report-request-error.ts';
import { RequestNotes } from './telemetry/request-notes.ts';

/** Serves one request to the graph, rejected ones included. Rejects when the client has hung up. */
export type HandleRequest = (exchange: Exchange, watch: RequestWatch) => Promise<HttpResponse>;

/**
 * State of a request while it is under way: `context` has its id, trace and log; `signal` aborts at its deadline, and
 * when its client hangs up; `notes` collect what its log line and metrics say; `recorder` is there if the request is
 * recorded for a trace or for `pnpm explain`.
 */
export interface RequestWatch extends RequestObservers {
  readonly context: RequestContext;
  readonly signal: StopSignal;
}

export interface GraphEndpointOptions {
  readonly config: Pick<GatewayConfig, 'file' | 'propagatesTrace' | 'requestLogRatio'>;
  readonly handleRequest: HandleRequest;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly graphMetrics: GraphMetrics;
  readonly observation: Observation;
}

/**
 * Creates the host of the pipeline: request ids and traces, the deadline, the redirect, and the cancellation of
 * requests whose client has hung up. It serves exchanges: a framework would cost every request more than the pipeline
 * does.
 */
export function createGraphEndpoint(options: GraphEndpointOptions): ServeExchange {
  const { config, handleRequest, logger, metrics, graphMetrics, observation } = options;
  const { timeout: requestTimeoutMs } = config.file.traffic_shaping.router;
  const deadlines = new DeadlineQueue(requestTimeoutMs);
  const observer = createRequestObserver({
    logger,
    metrics,
    continueTrace: config.propagatesTrace,
    sample: observation.sample,
    requestLogRatio: config.requestLogRatio,
  });

  const serve = async (exchange: Exchange): Promise<void> => {
    const context = observer.begin(exchange);
    const stop = new StopController();
    const deadline = deadlines.start(() => stop.abort(new DeadlineExceeded(requestTimeoutMs)));
    exchange.onEnd((status) => {
      deadlines.end(deadline);
      observer.end(context, status);
      if (status === clientClosedStatus) {
        stop.abort(new ClientDisconnected());
      }
    });
    const notes = new RequestNotes(exchange.headers);
    context.noted = notes;
    const recorder = observation.record(exchange, context, notes);
    try {
      const response =
        trailingSlashRedirect(exchange.url) ??
        (await handleRequest(exchange, { context, signal: stop, notes, recorder }));
      exchange.send(response, fieldsOf(context));
    } catch (error) {
      notes.onCancelled();
      if (!(error instanceof ClientDisconnected)) {
        context.log.error({ err: error }, 'a request ended without a response');
      }
      exchange.destroy();
    }
    graphMetrics.observeOperation(notes, performance.now() - context.startedMs);
  };
  return serve;
}

/** The header fields of every response. */
function fieldsOf({ id, trace }: RequestContext): readonly string[] {
  return ['Request-Id', id, 'apollo-trace-id', trace.traceId];
}
