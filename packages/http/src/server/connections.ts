import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, and the requests under way on each. */
export interface Connections {
  /** The requests of one connection without a complete answer, oldest first: a client may pipeline. */
  pendingOn(socket: Socket): readonly ServerResponse[];
  /** From now on every response ends its connection, also of requests under way whose headers are not out. */
  announceClose(): void;
  /** Ends the connections on which nothing is under way. */
  closeIdle(): void;
  /** Ends all of them, whatever is under way. */
  closeAll(): void;
}

/** How long a new connection may stay silent before it counts as idle. */
const longestSilenceMs = 500;

/** What is known of one connection. */
interface Connection {
  readonly openedMs: number;
  readonly pending: Set<ServerResponse>;
}

/** Follows the connections of a server from before it listens. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  let isClosing = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { openedMs: performance.now(), pending: new Set() });
    socket.once('close', () => connections.delete(socket));
  });
  const follow = (request: IncomingMessage, response: ServerResponse): void => {
    const pending = connections.get(request.socket)?.pending;
    pending?.add(response);
    response.once('close', () => pending?.delete(response));
    if (isClosing) {
      response.setHeader('Connection', 'close');
    }
  };
  server.on('request', follow);
  server.on('checkExpectation', follow);

  return {
    pendingOn: (socket) => [...(connections.get(socket)?.pending ?? [])],
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
      // Node does not count a connection as idle that has never brought a request. Its first may be on its way.
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
