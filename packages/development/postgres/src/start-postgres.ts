import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { claim, findFreePort, releaseClaim } from '@meridian/processes';

import { findPostgresBinaries } from './binaries.ts';
import type { PostgresBinaries } from './binaries.ts';
import { createCluster, hasCluster, readPassword } from './cluster.ts';
import { dataDirectoryAt, giveTo, prepareDataDirectory, serverAccount } from './data-directory.ts';
import { stopEarlierServer } from './end-server.ts';
import { findLauncher } from './launcher.ts';
import { PostgresError } from './postgres-error.ts';
import { PostmasterEnded, startPostmaster } from './postmaster.ts';
import type { Postmaster } from './postmaster.ts';

/** The server to start, and its place. */
export interface StartPostgresOptions {
  /** The folder of all files of the server. Created if it is missing. */
  readonly dataDirectory: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** PostgreSQL's own settings, such as `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Removes `dataDirectory` when the server has ended, even if this process was killed. */
  readonly isThrowaway?: boolean;
  /** The programs to run instead of those from npm. */
  readonly programs?: PostgresBinaries;
  /** The superuser's password in a new data directory; default: a random one. */
  readonly password?: string;
  /** Called with a line about each slow step. */
  readonly onProgress?: (text: string) => void;
}

/** A PostgreSQL server that ends with this process. */
export type RunningPostgres = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts a real PostgreSQL on 127.0.0.1, and creates a missing data directory first. Works for root too.
 *
 * @throws {PostgresError} with a message for the user if it cannot
 */
export async function startPostgres(options: StartPostgresOptions) {
  const { onProgress = () => undefined, isThrowaway = false } = options;
  const directory = dataDirectoryAt(resolve(options.dataDirectory));
  const binaries = options.programs ?? findPostgresBinaries();
  const launcher = await findLauncher(binaries.postgres, await serverAccount(directory));
  await prepareDataDirectory(directory, launcher.account);
  // So that a second start does not stop a running server.
  const holder = await claim(directory.claim);
  if (holder !== undefined) {
    throw new PostgresError(
      `PostgreSQL is running on ${directory.root} already, started by process ${holder.pid}. Stop that one first, with Ctrl-C where it was started`,
    );
  }
  await giveTo(launcher.account, directory.claim);
  const leaveDirectory = (): Promise<void> =>
    isThrowaway ? rm(directory.root, { recursive: true, force: true }) : releaseClaim(directory.claim);
  try {
    await stopEarlierServer(directory.cluster, onProgress);
    if (!(await hasCluster(directory))) {
      onProgress("Making PostgreSQL's data directory (first start only)");
      await createCluster(directory, binaries.initdb, launcher, {
        isDurable: options.settings?.fsync !== 'off',
        password: options.password ?? randomBytes(24).toString('base64url'),
      });
    }
    const password = await readPassword(directory, launcher);
    onProgress('Starting PostgreSQL');
    const { port, postmaster } = await startOnPort(options.port, (port) =>
      startPostmaster(directory, binaries.postgres, launcher, {
        settings: { ...options.settings, ...loopbackOnly(port) },
        isThrowaway,
      }),
    );
    const ended = postmaster.ended.then(leaveDirectory);
    return {
      /** The URL of the database `postgres`, as superuser, with the password. */
      url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
      port,
      /** Resolves when the server has ended, by `stop()` or by itself. */
      ended,
      /** The pids of the server and of all its backends, at this moment. */
      processIds: (): number[] => postmaster.processIds(),
      /** Ends all connections and the server. Stopping again waits for the same end. */
      async stop(): Promise<void> {
        await postmaster.stop();
        await ended;
      },
    };
  } catch (error) {
    await leaveDirectory();
    throw error;
  }
}

/** Only TCP on loopback: no other machine reaches it, and there is no socket file, whose path could be too long. */
function loopbackOnly(port: number): Record<string, string> {
  return { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
}

/** Backends of a killed server end when they notice, after their current query. */
const maxWaitForEarlierBackendsMs = 10_000;

async function startOnPort(
  wantedPort: number,
  start: (port: number) => Promise<Postmaster>,
): Promise<{ port: number; postmaster: Postmaster }> {
  const deadline = Date.now() + maxWaitForEarlierBackendsMs;
  for (;;) {
    const port = wantedPort === 0 ? await findFreePort() : wantedPort;
    try {
      return { port, postmaster: await start(port) };
    } catch (error) {
      const failure = error instanceof PostmasterEnded ? error.failure : 'other';
      if (failure === 'port-taken' && wantedPort !== 0) {
        throw new PostgresError(`PostgreSQL cannot listen on 127.0.0.1:${wantedPort}: the port is in use`, {
          cause: error,
        });
      }
      if (failure === 'other' || Date.now() > deadline) {
        throw error;
      }
      await delay(200);
    }
  }
}
