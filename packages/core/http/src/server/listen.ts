import { once } from 'node:events';
import { lstatSync, unlinkSync } from 'node:fs';
import { lstat, unlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a server listens. */
export interface ListenAddress {
  /** A host name or address. A text that begins with a slash is the path of a Unix socket, as in libpq; its port is 0. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** True when the workers of a cluster share the port. Default: true. */
  readonly isShared?: boolean;
}

/** A server could not start to listen. The message is one clear line for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** True for the host of a Unix socket's address: its path. */
export function isSocketPath(host: string): boolean {
  return host.startsWith('/');
}

/**
 * Starts to listen. Resolves with the address, and the real port for port 0. The socket file of a process that ended
 * without removing it is replaced; closing the server removes its own.
 *
 * @throws {ListenError}
 */
export async function listen(
  server: Server,
  { host, port, isShared = true }: ListenAddress,
): Promise<ListenAddress> {
  const isSocket = isSocketPath(host);
  const start = async (): Promise<void> => {
    server.listen({ ...(isSocket ? { path: host } : { host, port }), exclusive: !isShared });
    await once(server, 'listening');
  };
  try {
    await start().catch(async (error: unknown) => {
      if (!isSocket || codeOf(error) !== 'EADDRINUSE' || !(await isAbandoned(host))) {
        throw error;
      }
      await replaceAbandoned(host, start);
    });
  } catch (error) {
    const [where, reason] = isSocket ? [host, socketReasonOf(error)] : [`${host}:${port}`, reasonOf(error)];
    throw new ListenError(`Cannot listen on ${where}: ${reason}`, { cause: error });
  }
  const address = server.address();
  return address === null || typeof address === 'string'
    ? { host, port }
    : { host: address.address, port: address.port };
}

/**
 * Starts in place of the file of a socket on which no process listens. Under a lock: of several processes that start at
 * once, each would otherwise remove the file of the one before, which would then listen where no client comes. Workers of
 * a cluster share the socket of the first.
 */
async function replaceAbandoned(path: string, start: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`;
  await acquire(lock);
  try {
    await start().catch(async (error: unknown) => {
      if (codeOf(error) !== 'EADDRINUSE' || !(await isAbandoned(path))) {
        throw error;
      }
      await unlink(path);
      await start();
    });
  } finally {
    // It may be gone: another process takes it from one that was stopped for seconds.
    await unlink(lock).catch(() => undefined);
  }
}

/**
 * A lock is held for some milliseconds: one that is older, or from the future after the clock was set back, is left by a
 * process that was killed. Milliseconds.
 */
const maxLockAge = 5000;

/** Creates the file of a lock, once no other process has it. Waits for some seconds at most. */
async function acquire(lock: string): Promise<void> {
  const endMs = performance.now() + 2 * maxLockAge;
  for (;;) {
    try {
      await writeFile(lock, '', { flag: 'wx' });
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        throw error;
      }
    }
    if (isStuck(lock) || performance.now() > endMs) {
      throw new Error(`its lock ${lock} is held; if no other process starts there, remove it`);
    }
    await sleep(10);
  }
}

/**
 * Removes a lock that is left over. True where that fails: it is a directory, or another user's file. In one turn: the lock
 * of a process that removed the same one before, and has acquired its own since, is not taken for it.
 */
function isStuck(lock: string): boolean {
  try {
    const { mtimeMs } = lstatSync(lock);
    if (Math.abs(Date.now() - mtimeMs) > maxLockAge) {
      unlinkSync(lock);
    }
    return false;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}

/** True for the file of a socket on which no process listens. */
async function isAbandoned(path: string): Promise<boolean> {
  if (!(await lstat(path)).isSocket()) {
    return false;
  }
  const probe = connect(path);
  try {
    await once(probe, 'connect');
    return false;
  } catch (error) {
    return codeOf(error) === 'ECONNREFUSED';
  } finally {
    probe.destroy();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function socketReasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return 'another process listens there, or the file is not a socket';
    case 'EACCES':
    case 'ENOENT':
      return 'its directory does not exist, or this user may not write there';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
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
