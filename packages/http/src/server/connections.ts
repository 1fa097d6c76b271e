import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { OutputWatch } from './output-watch.ts';

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

/** The interval between checks of connections, in milliseconds. */
export const checkEveryMs = 1000;

/** The state of one connection. */
interface Connection {
  readonly openedMs: number;
  /** The bytes that its socket had received at the end of the latest request or response. */
  receivedBytes: number;
  latest: ServerResponse | undefined;
  /** A list, since a `Set` that changes with each request keeps dead ones in memory: see `DeadlineQueue`. */
  readonly pending: ServerResponse[];
  readonly output: OutputWatch;
}

/**
 * Follows the connections of a server from before it listens, and ends those whose client takes nothing of its response
 * for `longestStallMs`.
 */
export function trackConnections(server: Server, longestStallMs: number): Connections {
  const connections = new Map<Socket, Connection>();
  let isClosing = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, {
      openedMs: performance.now(),
      receivedBytes: 0,
      latest: undefined,
      pending: [],
      output: new OutputWatch(socket),
    });
    socket.once('close', () => connections.delete(socket));
  });
  const follow = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection !== undefined) {
      connection.latest = response;
      connection.pending.push(response);
      request.on('close', () => {
        connection.receivedBytes = socket.bytesRead;
      });
      response.on('close', () => {
        connection.receivedBytes = socket.bytesRead;
        connection.pending.splice(connection.pending.indexOf(response), 1);
      });
    }
    if (isClosing) {
      response.setHeader('Connection', 'close');
    }
  };
  server.on('request', follow);
  server.on('checkExpectation', follow);

  const timer = setInterval(() => {
    for (const [socket, { output }] of connections) {
      if (output.isStalled(longestStallMs)) {
        socket.destroy();
      }
    }
  }, checkEveryMs).unref();
  server.once('close', () => clearInterval(timer));

  const closeIdle = (): void => {
    const silentSinceMs = performance.now() - longestSilenceMs;
    for (const [socket, connection] of connections) {
      if (isIdle(socket, connection, silentSinceMs)) {
        socket.destroy();
      }
    }
  };
  // Node's own would cut a response that a slow reader still receives. `server.close` calls it too.
  server.closeIdleConnections = closeIdle;

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

/** True without a request under way, or a part of one. The first one of a new connection may still be on its way. */
function isIdle(
  { bytesRead }: Socket,
  { openedMs, receivedBytes, pending }: Connection,
  silentSinceMs: number,
): boolean {
  return bytesRead === 0 ? openedMs <= silentSinceMs : pending.length === 0 && bytesRead === receivedBytes;
}
