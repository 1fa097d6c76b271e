import { once } from 'node:events';
import type { Server } from 'node:http';

/** Where a server listens: a host name or address, and a port; port 0 takes a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** True when the workers of a cluster share the port. Default: true. */
  readonly isShared?: boolean;
}

/** A server could not start to listen. The message is one clear line for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Starts to listen. Resolves with the address, and the real port for port 0.
 *
 * @throws {ListenError}
 */
export async function listen(
  server: Server,
  { host, port, isShared = true }: ListenAddress,
): Promise<ListenAddress> {
  try {
    server.listen({ host, port, exclusive: !isShared });
    await once(server, 'listening');
  } catch (error) {
    throw new ListenError(`Cannot listen on ${host}:${port}: ${reasonOf(error)}`, { cause: error });
  }
  const address = server.address();
  return address === null || typeof address === 'string'
    ? { host, port }
    : { host: address.address, port: address.port };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'the port is in use by another process';
    case 'EACCES':
      return 'this user may not listen on that port';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
