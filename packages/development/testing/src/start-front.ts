import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { createServer as createTlsServer } from 'node:tls';

import type { MutualTls } from './start-redis-server.ts';

/** Without a client's certificate, each one is taken, and none too. */
export type FrontTls = Pick<MutualTls, 'server'> & Partial<MutualTls>;

export type Front = Awaited<ReturnType<typeof startFront>>;

/** Listens over TLS, or at the path of a Unix domain socket, and hands everything on to a port of 127.0.0.1. */
export async function startFront(target: string, at: FrontTls | string) {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  /** The certificates that clients have shown, in hexadecimal, one for each connection. */
  const shown: string[] = [];
  /** True for each connection that resumed a session. */
  const resumed: boolean[] = [];
  const handOn = (socket: Socket): void => {
    const onward = connect(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  };
  const secure =
    typeof at === 'string'
      ? undefined
      : createTlsServer(
          { ...optionsOf(at), requestCert: true, rejectUnauthorized: at.client !== undefined },
          (socket) => {
            shown.push(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
            resumed.push(socket.isSessionReused());
            handOn(socket);
          },
        );
  const server: Server = secure ?? createServer(handOn);
  const where = typeof at === 'string' ? { path: at } : { port: 0, host: '127.0.0.1' };
  await once(server.listen(where), 'listening');
  const address = server.address();
  const breakOff = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    /** Of TLS; not a number for a socket. */
    port: typeof address === 'string' || address === null ? Number.NaN : address.port,
    shown,
    resumed,
    /** Takes other certificates from now on, and breaks off the connections. */
    replace(tls: FrontTls): void {
      secure?.setSecureContext(optionsOf(tls));
      breakOff();
    },
    async close(): Promise<void> {
      breakOff();
      await new Promise<unknown>((resolve) => void server.close(resolve));
    },
  };
}

function optionsOf({ server, client }: FrontTls): SecureContextOptions {
  return { ...server, ...(client && { ca: client.cert }) };
}
