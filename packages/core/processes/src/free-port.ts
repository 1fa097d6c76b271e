import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

/**
 * Below the ephemeral ports (Linux from 32768, others from 49152): a connection could take one of those before a
 * program listens there, or during its restart.
 */
const freePorts = { from: 20_000, to: 32_000 };

/**
 * Finds a port of 127.0.0.1 that is free at this moment. No connection gets it, and as long as this process runs,
 * neither this function nor `listenOnFreePort` gives it again, in any process.
 */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreePort(server, '127.0.0.1');
  server.close();
  await once(server, 'close');
  return port;
}

/** Lets a server listen on a free port, which stays reserved after the server is closed, as for `findFreePort`. */
export async function listenOnFreePort(server: Server, host: string): Promise<number> {
  for (;;) {
    const port = randomInt(freePorts.from, freePorts.to);
    if ((await reserve(port)) && (await listenIfFree(server, host, port))) {
      return port;
    }
  }
}

/** Resolves to true if the port was free; the server then listens on it. */
export async function listenIfFree(server: Server, host: string, port: number): Promise<boolean> {
  server.listen({ host, port, exclusive: true });
  return await isBound(once(server, 'listening'));
}

/** Reserves a TCP port until this process ends: by the UDP port of that number, which the system gives once. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind({ address: '127.0.0.1', port, exclusive: true });
  const reserved = await isBound(once(socket, 'listening'));
  if (!reserved) {
    socket.close();
  }
  return reserved;
}

async function isBound(listening: Promise<unknown>): Promise<boolean> {
  try {
    await listening;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      return false;
    }
    throw error;
  }
}
