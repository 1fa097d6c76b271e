import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server of a test. */
export interface LoopbackServer {
  /** Without a trailing slash, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Ends the server and every connection to it. */
  close(): Promise<void>;
}

/** A server that does not listen yet, such as one of `createHttpServer`. */
export interface ClosableServer {
  readonly server: Server;
  readonly connections: { closeAll(): void };
}

/** Serves on a free port of 127.0.0.1, with a server of its own or one that does not listen yet. */
export async function listenOnLoopback(
  serving: RequestListener | Server | ClosableServer,
): Promise<LoopbackServer & AsyncDisposable> {
  const { server, connections } = closable(serving);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server);
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    connections.closeAll();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

function closable(serving: RequestListener | Server | ClosableServer): ClosableServer {
  if (typeof serving !== 'function' && 'connections' in serving && 'server' in serving) {
    return serving;
  }
  const server = typeof serving === 'function' ? createServer(serving) : serving;
  return { server, connections: { closeAll: () => server.closeAllConnections() } };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('A server that listens on a port has an address with a port');
  }
  return address;
}
