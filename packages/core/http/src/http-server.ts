import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';

import type { Problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { ServeExchange } from './exchange/exchange.ts';
import { exchangeListener } from './exchange/node-exchange.ts';
import { nodeHttp } from './exchange/node-http.ts';
import { openFastPath } from './fast-path/fast-path.ts';
import type { FastPath } from './fast-path/fast-path.ts';
import { keepAliveSeconds } from './fast-path/response-text.ts';
import { serveHttp2 } from './http2/serve-http2.ts';
import { requestIdOf } from './exchange/request-context.ts';
import { sendResponse } from './exchange/http-response.ts';
import type { RenderProblem } from './exchange/render-problem.ts';
import { trackConnections } from './server/connections.ts';
import type { Connections } from './server/connections.ts';
import { handleFramingFaults } from './server/framing-faults.ts';
import { handleUpgrades, isWebSocketRequest } from './server/handle-upgrades.ts';
import type { UpgradeListener } from './server/handle-upgrades.ts';
import { limitConnections } from './server/limit-connections.ts';
import { limitOutput } from './server/limit-output.ts';
import { limitPipelines } from './server/limit-pipelines.ts';
import { defaultHeadLimits, messageFault } from './server/message-rules.ts';
import type { HeadLimits } from './server/message-rules.ts';
import { createRequestGate } from './server/request-gate.ts';
import { createSecureServer, replaceCertificate, trackSockets } from './server/secure-server.ts';
import type { ServerCertificate, TlsOptions } from './server/secure-server.ts';
import { stopAccepting } from './server/stop-accepting.ts';

export type HttpServerOptions = HttpServing & {
  /**
   * Renders requests that are rejected before the handler: bad framing, headers too large, a request that never ends.
   */
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Serves over TLS alone: HTTP/1.1, and HTTP/2 where exchanges are served. Default: without TLS. */
  readonly tls?: TlsOptions | undefined;
  /** The limits of heads. Default: 200 fields, 64 KiB, 10 s. */
  readonly headLimits?: Partial<HeadLimits> | undefined;
  /** The most bytes of a header list of HTTP/2. Default: 65536. */
  readonly maxHttp2HeadBytes?: number | undefined;
  /** The longest time until a request has arrived completely, in milliseconds. Default: 60000. */
  readonly maxReceivingMs?: number | undefined;
  /** The longest time for which a client takes nothing of its response, in milliseconds. Default: 30000. */
  readonly maxStallMs?: number;
  /** The bytes of responses that may wait for their clients. Default: a quarter of the heap's limit. */
  readonly maxWaitingBytes?: number | undefined;
  /** The most connections at a time. Default: one for each 256 KiB of the heap's limit. */
  readonly maxConnections?: number | undefined;
  /** The idle time of connections that are ended to make room for others, in milliseconds. Default: 5000. */
  readonly endedIdleMs?: number | undefined;
};

/** A request listener, Express or not, or a function that serves exchanges and needs none of Node's objects. */
export type HttpServing = ({ readonly handler: RequestListener } | { readonly serve: ServeExchange }) & {
  /** Serves WebSockets; without it, a request for one is a request like any other. */
  readonly upgrade?: UpgradeListener | undefined;
};

/** A server whose own error responses look like the service's, and which can stop without losing a request. */
export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
  /** Stops listening, and keeps existing connections. */
  stopAccepting(): Promise<void>;
  /**
   * From now on, new connections get this certificate.
   *
   * @throws {Error} when it is not usable, and without TLS
   */
  replaceCertificate(certificate: ServerCertificate): void;
}

/** The longest time for which a client takes nothing of a response that waits for it, in milliseconds. */
const defaultMaxStallMs = 30_000;
const defaultMaxReceivingMs = 60_000;

/**
 * Creates the HTTP server of a process, not listening yet. What serves exchanges also gets the fast path for plain
 * requests.
 *
 * A request has 10 s for its headers and 60 s to arrive completely. A connection is kept for 65 s after a response:
 * longer than the 60 s of common load balancers, which must close it first, or else they could send a request on a
 * closed connection. While a response is sent, the connection ends when the system can pass nothing of it on for 30 s,
 * because the client does not read. The number of connections and of header fields is limited, and nothing of a request
 * is kept once its response is out.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const {
    renderProblem,
    logger,
    metrics,
    maxReceivingMs = defaultMaxReceivingMs,
    maxStallMs = defaultMaxStallMs,
    maxWaitingBytes,
    upgrade,
  } = options;
  const handler = 'serve' in options ? exchangeListener(options.serve) : options.handler;
  const limits = { ...defaultHeadLimits, ...options.headLimits };
  const nodeOptions: ServerOptions = {
    // Node rejects what reaches its limit.
    maxHeaderSize: limits.maxHeadBytes + 1,
    headersTimeout: limits.maxHeadMs,
    requestTimeout: maxReceivingMs,
    keepAliveTimeout: keepAliveSeconds * 1000,
    connectionsCheckingInterval: 1000,
    insecureHTTPParser: false,
    // Off, because Node would respond without a body: the checks are below, and respond like all others.
    requireHostHeader: false,
    shouldUpgradeCallback: (request) => upgrade !== undefined && isWebSocketRequest(request),
  };
  const { tls } = options;
  const server =
    tls === undefined
      ? nodeHttp.createServer(nodeOptions)
      : createSecureServer(nodeOptions, tls, 'serve' in options);
  const connectionEvent = tls === undefined ? 'connection' : 'secureConnection';
  const closeSockets = tls === undefined ? undefined : trackSockets(server);
  // Node silently drops further ones: with one more than may come, `messageFault` can tell.
  server.maxHeadersCount = limits.maxFields + 1;
  const slow = trackConnections(server, connectionEvent);
  const refuse = (fault: Problem, requestId: string): void => {
    metrics.problemsTotal.inc({ kind: fault.kind });
    logger.info({ requestId, kind: fault.kind, detail: fault.detail }, 'request rejected');
  };
  const gate = createRequestGate();
  const pipelines = limitPipelines();
  const respond: RequestListener = (request, response) => {
    const { pending } = slow.exchangesOn(request.socket);
    const verdict = pending.length < 2 ? undefined : pipelines(request.socket, pending);
    if (verdict === 'dropped') {
      return;
    }
    const fault = verdict ?? messageFault(request, limits);
    afterPrevious(request, pending, () => {
      if (fault === undefined) {
        handler(request, response);
      } else {
        refuse(fault, requestIdOf(response));
        sendResponse(request, response, renderProblem(fault));
      }
    });
  };
  const listener: RequestListener = (request, response) => gate.pass(() => respond(request, response));
  server.on('request', listener);
  // An unknown expectation may be ignored (RFC 9110 §10.1.1); Node's own response to it has no body.
  server.on('checkExpectation', listener);
  handleFramingFaults(server, { connections: slow, renderProblem, onFault: refuse, limits });
  let connections =
    'serve' in options
      ? joined(openFastPath(server, { serve: options.serve, gate, limits, connectionEvent }), slow)
      : slow;
  const closeUpgraded =
    upgrade && handleUpgrades(server, { upgrade, renderProblem, onFault: refuse, limits });
  const watchOutput = limitOutput(server, { maxStallMs, maxWaitingBytes, connectionEvent });
  if (tls !== undefined && 'serve' in options) {
    const http2 = serveHttp2(server, {
      serve: options.serve,
      gate,
      limits: { maxFields: limits.maxFields, maxHeadBytes: options.maxHttp2HeadBytes ?? limits.maxHeadBytes },
      maxReceivingMs,
      watchOutput,
      refuse(exchange, fault) {
        const requestId = randomUUID();
        refuse(fault, requestId);
        exchange.send(renderProblem(fault), ['Request-Id', requestId]);
      },
      maxFirstMs: limits.maxHeadMs,
    });
    connections = joined(http2, connections);
  }
  const ofHttp = connections;
  connections = {
    ...ofHttp,
    closeAll() {
      ofHttp.closeAll();
      closeUpgraded?.();
      closeSockets?.();
    },
  };
  limitConnections(server, { ...options, connections });
  return {
    server,
    connections,
    stopAccepting: () => stopAccepting(server, gate),
    replaceCertificate: (certificate) => replaceCertificate(server, certificate),
  };
}

/** The connections of the fast path or of HTTP/2, and the others. */
function joined(fast: FastPath, connections: Connections): Connections {
  return {
    exchangesOn: (socket) => connections.exchangesOn(socket),
    announceClose() {
      fast.announceClose();
      connections.announceClose();
    },
    closeIdle({ idleMs, maxCount = Number.POSITIVE_INFINITY } = {}) {
      const closed = fast.closeIdle({ idleMs, maxCount });
      return closed + connections.closeIdle({ idleMs, maxCount: maxCount - closed });
    },
    closeAll() {
      fast.closeAll();
      connections.closeAll();
    },
  };
}

/**
 * Handles a request once the previous response on its connection is out: a client that pipelines has one request under
 * way on each connection, like any other. A request is dropped if its connection ends with that response or earlier.
 *
 * @param pending the unfinished responses of the connection, the request's own last
 */
function afterPrevious(
  { socket }: IncomingMessage,
  pending: readonly ServerResponse[],
  handle: () => void,
): void {
  if (pending.length < 2) {
    handle();
    return;
  }
  const previous = pending.at(-2);
  previous?.once('close', () => {
    if (socket.writable) {
      handle();
    }
  });
}
