import { Socket } from 'node:net';

import { Connection } from 'pg';
import type { PoolClient } from 'pg';

/**
 * Asks PostgreSQL to cancel what a connection is running (Frontend/Backend Protocol, "Canceling Requests in Progress").
 * Resolves when the server has closed the request's own connection: from then on the request cannot hit a later
 * statement. Rejects when the server cannot be reached.
 */
export async function requestCancel(client: PoolClient, signal: AbortSignal): Promise<void> {
  const connection = new Connection({ ssl: client.ssl });
  if (!hasBackendKey(client) || !canCancel(connection)) {
    throw new Error('This version of pg keeps the key of a backend elsewhere');
  }
  const sendRequest = (): void => connection.cancel(client.processID, client.secretKey);
  const { promise: timedOut, reject: bailOut } = Promise.withResolvers<never>();
  const stopWaiting = (): void => {
    bailOut(signal.reason);
    destroyLater(connection.stream);
  };
  signal.addEventListener('abort', stopWaiting, { once: true });
  try {
    const closed = new Promise<void>((resolve, reject) => {
      connection.once('connect', () => (client.ssl ? connection.requestSsl() : sendRequest()));
      connection.once('sslconnect', sendRequest);
      connection.on('error', reject);
      connection.once('end', resolve);
      connection.connect(...addressOf(client));
    });
    await Promise.race([closed, timedOut]);
  } finally {
    signal.removeEventListener('abort', stopWaiting);
  }
}

/**
 * The time for which a request to an unresponsive server stays open. PgBouncer 1.18 crashes, with all
 * connections, when the server responds after the client of the cancel request has gone
 * (pgbouncer/pgbouncer#846).
 */
const lingerMs = 60_000;

function destroyLater(stream: Connection['stream']): void {
  const timer = setTimeout(() => stream.destroy(), lingerMs).unref();
  stream.once('close', () => clearTimeout(timer));
  // It does not keep an otherwise idle process alive.
  if (stream instanceof Socket) {
    stream.unref();
  }
}

/** Members of pg's client about its backend, which its public types lack. */
interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

/** The part of pg's connection that its own `Client.cancel` uses, which its public types lack. */
interface CancelConnection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

function hasBackendKey(client: PoolClient): client is PoolClient & BackendKey {
  return 'processID' in client && 'secretKey' in client;
}

function canCancel(connection: Connection): connection is Connection & CancelConnection {
  return 'cancel' in connection && 'requestSsl' in connection;
}

/** A host that is a path is the directory of a Unix socket. */
function addressOf({ host, port }: PoolClient): [port: number | string, host?: string] {
  return host.startsWith('/') ? [`${host}/.s.PGSQL.${port}`] : [port, host];
}
