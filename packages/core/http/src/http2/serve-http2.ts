import type { Server } from 'node:http';
import type { TLSSocket } from 'node:tls';

import { keepAliveSeconds } from '../fast-path/response-text.ts';
import type { Connections } from '../server/connections.ts';
import { Http2Connection } from './http2-connection.ts';
import type { Http2Options } from './http2-connection.ts';

export interface ServeHttp2Options extends Omit<Http2Options, 'isClosing' | 'onClose'> {
  /** The longest time until the first request of a new connection, in milliseconds. */
  readonly maxFirstMs: number;
}

/** The interval between checks of connections, in milliseconds. */
const checkEveryMs = 1000;
const maxIdleMs = (keepAliveSeconds + 1) * 1000;

/**
 * Serves the connections of a TLS server whose clients have chosen HTTP/2. Call it last: it is in front of all that
 * handles secure connections.
 */
export function serveHttp2(
  server: Server,
  { maxFirstMs, ...given }: ServeHttp2Options,
): Omit<Connections, 'exchangesOn'> {
  const handleHttp1 = server.listeners('secureConnection');
  const connections = new Set<Http2Connection>();
  let isClosing = false;
  const options: Http2Options = {
    ...given,
    isClosing: () => isClosing,
    onClose: (connection) => void connections.delete(connection),
  };
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') {
      connections.add(new Http2Connection(socket, options));
      return;
    }
    for (const listener of handleHttp1) {
      listener.call(server, socket);
    }
  });
  const timer = setInterval(() => {
    for (const connection of connections) {
      connection.checkTimes({ maxIdleMs, maxFirstMs });
    }
  }, checkEveryMs).unref();
  server.once('close', () => clearInterval(timer));
  return {
    announceClose() {
      isClosing = true;
      for (const connection of connections) {
        connection.announceClose();
      }
    },
    closeIdle({ idleMs = 0, maxCount = Number.POSITIVE_INFINITY } = {}) {
      let closed = 0;
      for (const connection of connections) {
        if (closed >= maxCount) {
          break;
        }
        if (connection.isIdle(idleMs)) {
          connection.destroy();
          closed += 1;
        }
      }
      return closed;
    },
    closeAll() {
      for (const connection of connections) {
        connection.destroy();
      }
    },
  };
}
