import type { Socket } from 'node:net';
import { connect as connectPlainly, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import { startDeadline } from '../deadline.ts';
import { decodeBody } from '../decode-body.ts';
import type { ClientRequest, ClientTls, SubgraphClient, SubgraphTarget } from '../subgraph-client.ts';
import { SubgraphFailure } from '../subgraph-failure.ts';
import type { Exchange } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { RequestText } from './request-text.ts';
import { writeRequest } from './request-text.ts';
import type { Response } from './response-reader.ts';

export interface Http1ClientOptions {
  readonly connectionsPerSubgraph: number;
  /**
   * How many queries may be on one connection at once. More than one saves work where many are in flight, and has each wait for
   * those before it.
   */
  readonly pipelining: number;
  readonly tls: ClientTls;
}

const defaults = [
  ['accept', 'accept: application/json\r\n'],
  ['accept-encoding', 'accept-encoding: gzip, br\r\n'],
  ['content-type', 'content-type: application/json\r\n'],
] as const;

/** Where the requests of a target go, and how they begin. */
interface Route {
  readonly pool: ConnectionPool;
  readonly requestLine: string;
}

/** A client of this package's own, over sockets. */
export function createHttp1Client({
  connectionsPerSubgraph,
  pipelining,
  tls,
}: Http1ClientOptions): SubgraphClient {
  const pools = new Map<string, ConnectionPool>();
  const routes = new WeakMap<SubgraphTarget, Route>();

  const routeTo = (target: SubgraphTarget): Route => {
    const url = URL.parse(target.url);
    if (url === null || !(url.protocol === 'http:' || url.protocol === 'https:')) {
      throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', `${target.url} is no URL of HTTP`);
    }
    const pool =
      pools.get(url.origin) ??
      new ConnectionPool({
        connect: () => connectTo(url, tls),
        maxConnections: connectionsPerSubgraph,
        pipelining,
      });
    pools.set(url.origin, pool);
    return { pool, requestLine: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n` };
  };

  return {
    async send(target, request) {
      request.signal.throwIfAborted();
      const route = routes.get(target) ?? routeTo(target);
      routes.set(target, route);
      const text = writeRequest(route.requestLine, defaults, request.headers, request.body);
      const within = startDeadline(target.timeoutMs, request.signal);
      try {
        const { head, body } = await exchange(route.pool, text, target, request, within.signal);
        const decoded = await decodeBody({ headers: head.headers, body }, target.maxResponseBytes);
        within.signal.throwIfAborted();
        return { text: decoded, cacheControl: head.headers['cache-control'] };
      } finally {
        within.end();
      }
    },
    async close() {
      await Promise.all(Array.from(pools.values(), (pool) => pool.close()));
    },
  };
}

/**
 * Sends a request and waits for its answer. A subgraph may close a kept connection while a request is on its way. Such a request
 * was not looked at, and a query is sent once more. A mutation is not: from here, a subgraph that fell over while it worked looks
 * the same.
 */
async function exchange(
  pool: ConnectionPool,
  request: RequestText,
  { maxResponseBytes }: SubgraphTarget,
  { operationKind }: ClientRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const isQuery = operationKind === 'query';

  const send = (mayBeSentAgain: boolean): Exchange => {
    const sent: Exchange = {
      request,
      maxBodyBytes: maxResponseBytes,
      isRepeatable: isQuery,
      connection: undefined,
      onResponse: resolve,
      onFailure(error, isLost) {
        if (isLost && mayBeSentAgain && !signal.aborted) {
          current = send(false);
        } else {
          reject(failureOf(error));
        }
      },
    };
    pool.send(sent);
    return sent;
  };
  let current = send(isQuery);

  const stop = (): void => {
    reject(signal.reason);
    pool.cancel(current);
  };
  signal.addEventListener('abort', stop);
  try {
    const response = await promise;
    const { status } = response.head;
    if (status > 299) {
      throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', `the subgraph answered with the status ${status}`);
    }
    return response;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function failureOf(error: Error): SubgraphFailure {
  return error instanceof SubgraphFailure
    ? error
    : new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'the subgraph could not be reached', { cause: error });
}

function connectTo({ protocol, hostname, port }: URL, tls: ClientTls): Socket {
  // A URL has brackets around the address of IPv6.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return protocol === 'https:'
    ? connectSecurely({
        ...tls,
        host,
        port: Number(port || 443),
        servername: isIP(host) === 0 ? host : '',
        ALPNProtocols: ['http/1.1'],
      })
    : connectPlainly({ host, port: Number(port || 80) });
}
