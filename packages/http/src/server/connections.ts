import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, and the requests under way on each. */
export interface Connections {
  /** How many requests have no complete answer yet. */
  pendingRequests(): number;
  /** The requests of one connection without a complete answer, oldest first: a client may pipeline. */
  pendingOn(socket: Socket): readonly ServerResponse[];
  /** From now on every response ends its connection, also of requests under way whose headers are not out. */
  announceClose(): void;
  /** Ends the connections on which nothing is under way. */
  closeIdle(): void;
  /** Ends all of them, whatever is under way. */
  closeAll(): void;
}

/** Follows the connections of a server from before it listens. */
export function trackConnections(server: Server): Connections {
  const pendingBySocket = new Map<Socket, Set<ServerResponse>>();
  let isClosing = false;

  server.on('connection', (socket: Socket) => {
    pendingBySocket.set(socket, new Set());
    socket.once('close', () => pendingBySocket.delete(socket));
  });
  const follow = (request: IncomingMessage, response: ServerResponse): void => {
    const pending = pendingBySocket.get(request.socket);
    pending?.add(response);
    response.once('close', () => pending?.delete(response));
    if (isClosing) {
      response.setHeader('Connection', 'close');
    }
  };
  server.on('request', follow);
  server.on('checkExpectation', follow);

  const pendingOn = (socket: Socket): readonly ServerResponse[] => [...(pendingBySocket.get(socket) ?? [])];
  return {
    pendingOn,
    pendingRequests: () => pendingBySocket.values().reduce((count, pending) => count + pending.size, 0),
    announceClose() {
      isClosing = true;
      for (const response of pendingBySocket.values().flatMap((pending) => pending)) {
        if (!response.headersSent) {
          response.setHeader('Connection', 'close');
        }
      }
    },
    closeIdle() {
      server.closeIdleConnections();
      // Node does not count a connection as idle that has never brought a request.
      for (const socket of pendingBySocket.keys()) {
        if (socket.bytesRead === 0) {
          socket.destroy();
        }
      }
    },
    closeAll: () => server.closeAllConnections(),
  };
}
