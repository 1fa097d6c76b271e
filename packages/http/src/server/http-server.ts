import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';

import { requestIdOf } from '../request/observe-requests.ts';
import { sendResponse } from '../response/http-response.ts';
import type { RenderProblem } from '../response/render-problem.ts';
import { trackConnections } from './connections.ts';
import type { Connections } from './connections.ts';
import { handleFramingFaults } from './framing-faults.ts';
import { createRequestGate } from './request-gate.ts';
import { stopAccepting } from './stop-accepting.ts';

export interface HttpServerOptions {
  readonly handler: RequestListener;
  /**
   * Renders requests that are rejected before the handler: bad framing, headers too large, a request that never ends.
   */
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A server whose own error responses look like the service's, and which can stop without losing a request. */
export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
  /** Stops listening, and keeps existing connections. */
  stopAccepting(): Promise<void>;
}

/** The bytes of a request target with all header names and values: 64 KiB pass. Node rejects what reaches its limit. */
const maxHeaderBytes = 65_536 + 1;

/**
 * Creates the HTTP server of a process, not listening yet. It takes any request listener, Express or not.
 *
 * A request has 10 s for its headers and 60 s to arrive completely. A connection is kept for 65 s after a response:
 * longer than the 60 s of common load balancers, which must close it first, or else they could send a request on a
 * closed connection.
 */
export function createHttpServer({ handler, renderProblem, logger, metrics }: HttpServerOptions): HttpServer {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1000,
    insecureHTTPParser: false,
    // Off, because Node would respond without a body: the checks are below, and respond like all others.
    requireHostHeader: false,
  });
  // Unlimited, because Node silently drops headers beyond the count; their size is limited already.
  server.maxHeadersCount = 0;
  const connections = trackConnections(server);
  const refuse = (fault: Problem, requestId: string): void => {
    metrics.problemsTotal.inc({ kind: fault.kind });
    logger.info({ requestId, kind: fault.kind, detail: fault.detail }, 'request rejected');
  };
  const gate = createRequestGate((request, response) => {
    const { pending } = connections.exchangesOn(request.socket);
    if (pending.size > longestPipeline + 1) {
      // The rejection of the previous request ends the connection.
      return;
    }
    const fault = pending.size > longestPipeline ? tooManyPipelined() : messageFault(request);
    afterPrevious(request, pending, () => {
      if (fault === undefined) {
        handler(request, response);
      } else {
        refuse(fault, requestIdOf(response));
        sendResponse(request, response, renderProblem(fault));
      }
    });
  });
  server.on('request', gate.listener);
  // An unknown expectation may be ignored (RFC 9110 §10.1.1); Node's own response to it has no body.
  server.on('checkExpectation', gate.listener);
  handleFramingFaults(server, { connections, renderProblem, onFault: refuse });
  return { server, connections, stopAccepting: () => stopAccepting(server, gate) };
}

/**
 * Handles a request once the previous response on its connection is out: a client that pipelines has one request under
 * way on each connection, like any other. A request is dropped if its connection ends with that response or earlier.
 *
 * @param pending the unfinished responses of the connection, the request's own last
 */
function afterPrevious(
  { socket }: IncomingMessage,
  pending: ReadonlySet<ServerResponse>,
  handle: () => void,
): void {
  if (pending.size < 2) {
    handle();
    return;
  }
  const previous = [...pending].at(-2);
  previous?.once('close', () => {
    if (socket.writable) {
      handle();
    }
  });
}

/**
 * The maximum of requests on one connection that wait for responses. Few clients pipeline, and pipelining must not give
 * one client a larger share of the process. The next request is rejected, and the connection closed.
 */
const longestPipeline = 32;

function tooManyPipelined(): Problem {
  return problem(
    'unavailable',
    `More than ${longestPipeline} requests of the connection wait for their responses.`,
    {
      headers: { Connection: 'close' },
    },
  );
}

/** `uri-host [ ":" port ]`, RFC 9110 §7.2: a name or an address, or nothing for a target without an authority. */
const hostValue = /^(?:\[[\dA-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)(?::\d*)?$/;

/**
 * Detects a fault that Node lets pass although RFC 9112 §3.2 requires its rejection. Rewrites an
 * absolute-form target to its path.
 */
function messageFault(request: IncomingMessage): Problem | undefined {
  if (request.httpVersionMajor !== 1) {
    return problem('malformed-request', 'The request is not well-formed HTTP/1.1.');
  }
  const hosts = countOf('host', request.rawHeaders);
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) {
    return problem('malformed-request', 'The request must have exactly one Host header.');
  }
  if (countOf('authorization', request.rawHeaders) > 1) {
    // Node keeps the first one; a proxy in front may have used another.
    return problem('malformed-request', 'The request must have at most one Authorization header.');
  }
  if (!hostValue.test(request.headers.host ?? '')) {
    return problem('malformed-request', 'The Host header names no host.');
  }
  const target = request.url ?? '';
  if (target === '*' && request.method === 'OPTIONS') {
    return undefined;
  }
  return target.startsWith('/') ? pathFault(target) : absoluteTargetFault(request, target);
}

/** The number of occurrences of a field in raw headers: names at even indices, each followed by its value. */
function countOf(lowerCaseName: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) {
      count += 1;
    }
  }
  return count;
}

/**
 * The longest path, in characters: many times the length of any route. A query string may be longer, such as the
 * variables of a persisted operation; the limit on all headers bounds it.
 */
const longestPath = 4096;

function pathFault(target: string): Problem | undefined {
  const queryStart = target.indexOf('?');
  return (queryStart === -1 ? target.length : queryStart) > longestPath
    ? problem('path-too-long', `The path is over ${longestPath} characters.`)
    : undefined;
}

function absoluteTargetFault(request: IncomingMessage, target: string): Problem | undefined {
  if (!URL.canParse(target) || !/^https?:\/\//i.test(target)) {
    return problem('malformed-request', 'The request target is neither a path nor an http URL.');
  }
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  request.url = path.startsWith('/') ? path : `/${path}`;
  return pathFault(request.url);
}
