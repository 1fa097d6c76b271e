import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { ConnectionEvent } from './secure-server.ts';

/** The requests of one connection; a client may pipeline several. */
export interface Exchanges {
  /** The response to the latest request, until both are over. */
  readonly latest: ServerResponse | undefined;
  /** The unfinished responses, oldest first. */
  readonly pending: readonly ServerResponse[];
}

/** Idle connections of a server. */
export interface IdleConnections {
  /** Without a request for so long. Default: 0. */
  readonly idleMs?: number | undefined;
  /** So many, the ones that were opened first. Default: all. */
  readonly maxCount?: number;
}

/** The connections of a server, and the requests under way on each. */
export interface Connections {
  exchangesOn(socket: Socket): Exchanges;
  /**
   * From now on every response closes its connection, including responses to requests under way, if their header is not
   * sent yet.
   */
  announceClose(): void;
  /** Ends connections without a request under way; returns how many. */
  closeIdle(which?: IdleConnections): number;
  /** Ends all connections, also those with requests under way. */
  closeAll(): void;
}

/** The time that a new connection has for its first byte before it counts as idle. */
export const newConnectionGraceMs = 500;

/** The state of one connection. */
interface Connection {
  /** The time of the end of the latest request or response, or of the start. By `performance.now`. */
  latestMs: number;
  /** The bytes that its socket had received at the end of the latest request or response. */
  receivedBytes: number;
  latest: ServerResponse | undefined;
  /** A list, since a `Set` that changes with each request keeps dead ones in memory: see `DeadlineQueue`. */
  readonly pending: ServerResponse[];
}

/** Follows the connections of a server from before it listens. */
export function trackConnections(server: Server, connectionEvent: ConnectionEvent): Connections {
  const connections = new Map<Socket, Connection>();
  let isClosing = false;

  server.on(connectionEvent, (socket: Socket) => {
    connections.set(socket, {
      latestMs: performance.now(),
      receivedBytes: 0,
      latest: undefined,
      pending: [],
    });
    socket.once('close', () => connections.delete(socket));
  });
  const follow = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection !== undefined) {
      connection.latest = response;
      connection.pending.push(response);
      const noteEnd = (): void => {
        connection.latestMs = performance.now();
        connection.receivedBytes = socket.bytesRead;
        if (connection.latest === response && request.closed && response.closed) {
          // A response has its request with all header fields, and the connection may be idle for long.
          connection.latest = undefined;
        }
      };
      request.on('close', noteEnd);
      response.on('close', () => {
        connection.pending.splice(connection.pending.indexOf(response), 1);
        noteEnd();
      });
    }
    if (isClosing) {
      response.setHeader('Connection', 'close');
    }
  };
  server.on('request', follow);
  server.on('checkExpectation', follow);

  const closeIdle = (which?: IdleConnections): number =>
    endIdle(
      connections.entries().map(([socket, connection]) => ({
        isIdle: (idleMs) => isIdle(socket, connection, idleMs),
        destroy: () => void socket.destroy(),
      })),
      which,
    );
  // Node's own would cut a response that a slow reader still receives. `server.close` calls it too.
  server.closeIdleConnections = () => void closeIdle();

  return {
    exchangesOn: (socket) => connections.get(socket) ?? { latest: undefined, pending: [] },
    announceClose() {
      isClosing = true;
      for (const response of connections.values().flatMap(({ pending }) => pending)) {
        if (!response.headersSent) {
          response.setHeader('Connection', 'close');
        }
      }
    },
    closeIdle,
    closeAll: () => server.closeAllConnections(),
  };
}

/** A connection that may have no request under way. */
export interface MaybeIdle {
  isIdle(idleMs: number): boolean;
  destroy(): void;
}

/** Ends the idle ones of connections; returns how many. */
export function endIdle(
  connections: Iterable<MaybeIdle>,
  { idleMs = 0, maxCount = Number.POSITIVE_INFINITY }: IdleConnections = {},
): number {
  let ended = 0;
  for (const connection of connections) {
    if (ended >= maxCount) {
      break;
    }
    if (connection.isIdle(idleMs)) {
      connection.destroy();
      ended += 1;
    }
  }
  return ended;
}

/** True without a request under way, or a part of one. The first one of a new connection may still be on its way. */
function isIdle(
  { bytesRead }: Socket,
  { latestMs, receivedBytes, pending }: Connection,
  idleMs: number,
): boolean {
  const isNew = bytesRead === 0;
  const awaitedMs = isNew ? Math.max(newConnectionGraceMs, idleMs) : idleMs;
  return (
    (isNew || (pending.length === 0 && bytesRead === receivedBytes)) &&
    performance.now() - latestMs >= awaitedMs
  );
}
