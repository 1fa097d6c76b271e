import type { Server } from 'node:http';
import type { TLSSocket } from 'node:tls';

import type { Connections } from '../server/connections.ts';
import { OwnConnections, maxIdleMs } from '../fast-path/own-connections.ts';
import { Http2Connection } from './http2-connection.ts';
import type { Http2Options } from './http2-connection.ts';

export interface ServeHttp2Options extends Omit<Http2Options, 'isClosing' | 'onClose'> {
  /** The longest time until the first request of a new connection, in milliseconds. */
  readonly maxFirstMs: number;
}

/**
 * Serves the connections of a TLS server whose clients have chosen HTTP/2. Call it last: it is in front of all that
 * handles secure connections.
 */
export function serveHttp2(
  server: Server,
  { maxFirstMs, ...given }: ServeHttp2Options,
): Omit<Connections, 'exchangesOn'> {
  const handleHttp1 = server.listeners('secureConnection');
  const connections = new OwnConnections<Http2Connection>(server, (connection) =>
    connection.checkTimes({ maxIdleMs, maxFirstMs }),
  );
  let isClosing = false;
  const options: Http2Options = {
    ...given,
    isClosing: () => isClosing,
    onClose: (connection) => void connections.all.delete(connection),
  };
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') {
      connections.all.add(new Http2Connection(socket, options));
      return;
    }
    for (const listener of handleHttp1) {
      listener.call(server, socket);
    }
  });
  return {
    announceClose() {
      isClosing = true;
      connections.all.forEach((connection) => connection.announceClose());
    },
    closeIdle: (which) => connections.closeIdle(which),
    closeAll: () => connections.closeAll(),
  };
}
