import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { ServeExchange } from '../exchange/exchange.ts';
import type { Connections } from '../server/connections.ts';
import type { ConnectionEvent } from '../server/secure-server.ts';
import type { HeadLimits } from '../server/message-rules.ts';
import { OwnConnections, maxIdleMs } from './own-connections.ts';
import type { RequestGate } from '../server/request-gate.ts';
import { FastConnection } from './fast-connection.ts';
import { ResponseHeadWriter } from './response-text.ts';

/** The connections of a server that have brought only plain requests so far. */
export type FastPath = Omit<Connections, 'exchangesOn'>;

export interface FastPathOptions {
  readonly serve: ServeExchange;
  /** Holds requests back while the server stops accepting. */
  readonly gate: RequestGate;
  /** The time for a head is also the longest until the first byte of a new connection. */
  readonly limits: HeadLimits;
  /** The event of the server that brings a connection: after the handshake, where there is TLS. */
  readonly connectionEvent: ConnectionEvent;
}

/**
 * Puts the fast path in front of a server's own handling of connections. A connection is on the fast path as long as it
 * brings plain requests (`readPlainHead`); with anything else it is passed on to the server, which has never seen it.
 *
 * Clients see no difference but in speed, with these exceptions:
 *
 * - A connection with further requests in the same bytes is passed on as it is. Node begins all requests of those bytes
 *   before it finishes the first response, where it would have handled them one after another if they had come to it.
 *   So responses that are ready at once count towards the limit on pipelined requests.
 * - A request that arrives in pieces is served when all of it is there, up to 64 KiB and for a second or two. One with a
 *   fault in an early line of an incomplete head is rejected so much later.
 * - Up to 64 KiB, in whole portions, are read while a request is served. After them, the end of a connection goes
 *   unnoticed until the response.
 *
 * It takes the listeners of the server's connections away and calls them itself, and passes bytes on by the event `data`. The tests of
 * this folder passed so on Node 24 and 26 (22 differs where `node:http` alone serves); try them on each new version.
 *
 * A request costs a third of what it costs in `node:http`, which spends the rest on objects and events that the gateway
 * does not need: an `IncomingMessage` and a `ServerResponse`, which are streams.
 */
export function openFastPath(
  server: Server,
  { serve, gate, limits, connectionEvent }: FastPathOptions,
): FastPath {
  const handleAsServer = server.listeners(connectionEvent);
  const times = { maxIdleMs, maxFirstByteMs: limits.maxHeadMs };
  const connections = new OwnConnections<FastConnection>(server, (connection) =>
    connection.checkTimes(times),
  );
  const heads = new ResponseHeadWriter();
  let isClosing = false;
  const options = {
    serve,
    gate,
    passOn(socket: Socket, bytes: Buffer) {
      for (const listener of handleAsServer) {
        listener.call(server, socket);
      }
      socket.emit('data', bytes);
      // It was paused if the client sent much before it had its response.
      socket.resume();
    },
    onLeave: (connection: FastConnection) => void connections.all.delete(connection),
    heads,
    limits,
    isClosing: () => isClosing,
  };
  server.removeAllListeners(connectionEvent);
  server.on(connectionEvent, (socket: Socket) => connections.all.add(new FastConnection(socket, options)));

  return {
    announceClose() {
      isClosing = true;
    },
    closeIdle: (which) => connections.closeIdle(which),
    closeAll: () => connections.closeAll(),
  };
}
