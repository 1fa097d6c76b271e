import { DeadlineQueue } from '@meridian/cancellation';

import type { Peer, SubgraphClient, SubgraphTarget } from '../subgraph-client.ts';
import { SubgraphFailure } from '../subgraph-failure.ts';
import { Call } from './call.ts';
import { createConnect } from './connect.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { WriteRequest } from './request-text.ts';
import { createRequestWriter } from './request-text.ts';

export interface Http1ClientOptions extends Peer {
  /** To one origin. */
  readonly maxConnections: number;
}

/** The size of one read from a socket: mostly a whole response. */
const readBytes = 65_536;

/** Where the requests of a target go, and how they are written. */
interface Route {
  readonly pool: ConnectionPool;
  readonly write: WriteRequest;
}

/** Of all clients: what one read brings is taken before the next one begins. */
const buffer = Buffer.allocUnsafeSlow(readBytes);

/** A client of this package's own, over sockets. */
export function createHttp1Client({ maxConnections, ...peer }: Http1ClientOptions): SubgraphClient {
  const pools = new Map<string, ConnectionPool>();

  const routeTo = (target: SubgraphTarget): Route => {
    const url = URL.parse(target.url);
    if (url === null || !(url.protocol === 'http:' || url.protocol === 'https:')) {
      throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', `${target.url} is not an HTTP URL`);
    }
    const pool =
      pools.get(url.origin) ??
      new ConnectionPool({ connect: createConnect(url, peer, buffer), maxConnections });
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
