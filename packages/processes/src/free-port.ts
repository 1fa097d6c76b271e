import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

/**
 * Below the ports that systems give to connections (Linux from 32768, others from 49152): one of those could be taken again before
 * a program listens there, or while it is started again.
 */
const freePorts = { from: 20_000, to: 32_000 };

/** A port of 127.0.0.1 that is free at this moment, and that no connection gets. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreePort(server, '127.0.0.1');
  server.close();
  await once(server, 'close');
  return port;
}

/** Has a server listen on a port that was free, and that no connection gets. */
export async function listenOnFreePort(server: Server, host: string): Promise<number> {
  for (;;) {
    const port = randomInt(freePorts.from, freePorts.to);
    if (await listenIfFree(server, host, port)) {
      return port;
    }
  }
}

/** Resolves to true when the port was free, and now belongs to the server. */
export async function listenIfFree(server: Server, host: string, port: number): Promise<boolean> {
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      return false;
    }
    throw error;
  }
}
