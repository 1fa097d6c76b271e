import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection; a client may pipeline several. */
export interface Exchanges {
  /** The response to the latest request, finished or not. */
  readonly latest: ServerResponse | undefined;
  /** The unfinished responses, oldest first. */
  readonly pending: readonly ServerResponse[];
}

/** The connections of a server, and the requests under way on each. */
export interface Connections {
  exchangesOn(socket: Socket): Exchanges;
  /**
   * From now on every response closes its connection, including responses to requests under way, if their header is not
   * sent yet.
   */
  announceClose(): void;
  /** Ends the connections without a request under way. */
  closeIdle(): void;
  /** Ends all connections, also those with requests under way. */
  closeAll(): void;
}

/** The longest silence of a new connection before it counts as idle. */
export const longestSilenceMs = 500;

/** The state of one connection. */
interface Connection {
  readonly openedMs: number;
  latest: ServerResponse | undefined;
  /** A list, since a `Set` that changes with each request keeps dead ones in memory: see `DeadlineQueue`. */
  readonly pending: ServerResponse[];
}

/** Follows the connections of a server from before it listens. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  let isClosing = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { openedMs: performance.now(), latest: undefined, pending: [] });
    socket.once('close', () => connections.delete(socket));
  });
  const follow = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) {
      connection.latest = response;
      connection.pending.push(response);
      response.on('close', () => {
        connection.pending.splice(connection.pending.indexOf(response), 1);
      });
    }
    if (isClosing) {
      response.setHeader('Connection', 'close');
    }
  };
  server.on('request', follow);
  server.on('checkExpectation', follow);

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
    closeIdle() {
      server.closeIdleConnections();
      // Node does not count a connection as idle before its first request, which may be on its way.
      const silentSinceMs = performance.now() - longestSilenceMs;
      for (const [socket, { openedMs }] of connections) {
        if (socket.bytesRead === 0 && openedMs <= silentSinceMs) {
          socket.destroy();
        }
      }
    },
    closeAll: () => server.closeAllConnections(),
  };
}
