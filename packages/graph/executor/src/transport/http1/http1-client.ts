import { connect as connectPlainly, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import { DeadlineQueue } from '@meridian/cancellation';

import type { Peer, SubgraphClient, SubgraphTarget } from '../subgraph-client.ts';
import { SubgraphFailure } from '../subgraph-failure.ts';
import { Call } from './call.ts';
import type { Connect } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { WriteRequest } from './request-text.ts';
import { createRequestWriter } from './request-text.ts';

export interface Http1ClientOptions extends Peer {
  /** To one origin. */
  readonly maxConnections: number;
}

/** Where the requests of a target go, and how they are written. */
interface Route {
  readonly pool: ConnectionPool;
  readonly write: WriteRequest;
}

/** A client of this package's own, over sockets. */
export function createHttp1Client({ maxConnections, ...peer }: Http1ClientOptions): SubgraphClient {
  const pools = new Map<string, ConnectionPool>();

  const routeTo = (target: SubgraphTarget): Route => {
    const url = URL.parse(target.url);
    if (url === null || !(url.protocol === 'http:' || url.protocol === 'https:')) {
      throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', `${target.url} is not an HTTP URL`);
    }
    const pool =
      pools.get(url.origin) ?? new ConnectionPool({ connect: createConnect(url, peer), maxConnections });
    pools.set(url.origin, pool);
    const requestLine = `POST ${url.pathname}${url.search} HTTP/1.1\r\n`;
    return { pool, write: createRequestWriter(requestLine, url.host) };
  };

  return {
    exchangeWith(target) {
      // A request that waits keeps the process running.
      const deadlines = new DeadlineQueue(target.timeoutMs, { keepsProcess: true });
      let route: Route | undefined;
      return (request) =>
        new Promise((resolve, reject) => {
          request.signal.throwIfAborted();
          route ??= routeTo(target);
          const text = route.write(request.headers, request.encodedBody ?? request.body);
          void new Call({ pool: route.pool, deadlines, target, request, text, resolve, reject });
        });
    },
    async close() {
      await Promise.all(Array.from(pools.values(), (pool) => pool.close()));
    },
  };
}

/**
 * Where all connections read: mostly a whole response at once. What one read brings is taken before the next one begins.
 * A stream would allocate so much for each read.
 */
const buffer = Buffer.allocUnsafeSlow(65_536);

/**
 * Creates the function that connects to an origin. Over TLS, a connection resumes the last session, which saves the
 * exchange of certificates, unless other certificates have taken effect since.
 */
function createConnect({ protocol, hostname, port }: URL, { socketPath, tls }: Peer): Connect {
  const isSecure = protocol === 'https:';
  // A URL has brackets around an IPv6 address.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const address =
    socketPath === undefined ? { host, port: Number(port || (isSecure ? 443 : 80)) } : { path: socketPath };
  let session: Buffer | undefined;
  let secureContext = tls?.current;

  return (onBytes) => {
    const callback = (size: number): boolean => {
      onBytes(buffer.subarray(0, size));
      return true;
    };
    const reading = { ...address, onread: { buffer, callback } };
    if (!isSecure) {
      return connectPlainly(reading);
    }
    if (tls?.current !== secureContext) {
      secureContext = tls?.current;
      session = undefined;
    }
    const context = secureContext;
    const socket = connectSecurely({
      ...reading,
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      ...(context !== undefined && { secureContext: context }),
      ...(session !== undefined && { session }),
    });
    socket.on('session', (latest) => {
      if (context === secureContext) {
        session = latest;
      }
    });
    // The other side may have rejected the session.
    socket.on('error', () => void (session = undefined));
    return socket;
  };
}
