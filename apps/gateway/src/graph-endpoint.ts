import { DeadlineQueue } from '@meridian/cancellation';
import type { Exchange, HttpResponse, RequestContext, ServeExchange } from '@meridian/http';
import { ClientDisconnected, RequestSignal, clientClosedStatus, createRequestObserver } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';
import { formatTraceId } from '@meridian/telemetry';

import type { GatewayConfig } from './config/gateway-config.ts';
import type { GatewayRequest } from './interceptors/gateway-request.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import type { Observation } from './explain/observation.ts';
import { RequestNotes } from './telemetry/request-notes.ts';

export interface GraphEndpointOptions {
  readonly config: Pick<GatewayConfig, 'file' | 'propagatesTrace' | 'requestLogRatio'>;
  /** Handles a request, a rejected one too. Rejects when the client has hung up. */
  readonly handleRequest: (request: GatewayRequest) => HttpResponse | Promise<HttpResponse>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly graphMetrics: GraphMetrics;
  readonly observation: Observation;
}

/**
 * Creates the host of the pipeline: request ids and traces, the deadline, and the cancellation of requests whose client
 * has hung up. It serves exchanges: a framework would cost every request more than the pipeline does.
 */
export function createGraphEndpoint(options: GraphEndpointOptions): ServeExchange {
  const { config, handleRequest, logger, metrics, graphMetrics, observation } = options;
  const { timeout: requestTimeoutMs } = config.file.traffic_shaping.router;
  const deadlines = new DeadlineQueue(requestTimeoutMs);
  const observer = createRequestObserver({
    logger,
    metrics,
    continueTrace: config.propagatesTrace,
    beginTrace: observation.beginTrace,
    sample: observation.sample,
    requestLogRatio: config.requestLogRatio,
  });

  const fieldsOf = responseFields(config.file.telemetry.exporters.tracing.experimental_response_trace_id);

  const serve = async (exchange: Exchange): Promise<void> => {
    const context = observer.begin(exchange);
    const signal = new RequestSignal(deadlines, requestTimeoutMs, context.startedMs);
    exchange.onEnd((status, failure) => {
      signal.endDeadline();
      observer.end(context, status);
      if (status === clientClosedStatus) {
        signal.abort(new ClientDisconnected());
      } else if (failure !== undefined) {
        context.log.error({ err: failure }, 'a response in parts broke off');
      }
    });
    const notes = new RequestNotes(exchange.headers);
    context.noted = notes;
    const recorder = observation.record(exchange, context, notes);
    try {
      const request: GatewayRequest = {
        exchange,
        context,
        signal,
        notes,
        recorder,
        facts: undefined,
        overrideLabels: undefined,
        readForLabels: undefined,
        mediaType: undefined,
        isIdentified: false,
        caller: undefined,
        received: undefined,
        subgraphFields: undefined,
        isAdmitted: false,
        stages: undefined,
        upload: undefined,
      };
      const response = await handleRequest(request);
      const { subgraphFields } = request;
      const fields = fieldsOf(context);
      exchange.send(response, subgraphFields === undefined ? fields : [...fields, ...subgraphFields]);
    } catch (error) {
      notes.onCancelled();
      if (!(error instanceof ClientDisconnected)) {
        context.log.error({ err: error }, 'a request ended without a response');
      }
      exchange.destroy();
    }
    if (notes.endReason !== undefined) {
      // A stream, which may be open for days.
      context.measure(200);
    }
    if (notes.parts === undefined || notes.endReason !== undefined) {
      graphMetrics.observeOperation(notes, performance.now() - context.startedMs);
    } else {
      exchange.onEnd(() => graphMetrics.observeOperation(notes, performance.now() - context.startedMs));
    }
  };
  return serve;
}

/** The header fields of every response. */
function fieldsAsEver({ id, trace }: RequestContext): readonly string[] {
  return ['Request-Id', id, 'apollo-trace-id', trace.traceId];
}

type ResponseTraceId =
  GatewayConfig['file']['telemetry']['exporters']['tracing']['experimental_response_trace_id'];

function responseFields({ enabled, header_name: name, format }: ResponseTraceId): typeof fieldsAsEver {
  if (!enabled) {
    return fieldsAsEver;
  }
  return name.toLowerCase() === 'apollo-trace-id'
    ? ({ id, trace }) => ['Request-Id', id, name, formatTraceId(trace.traceId, format)]
    : (context) => [...fieldsAsEver(context), name, formatTraceId(context.trace.traceId, format)];
}
