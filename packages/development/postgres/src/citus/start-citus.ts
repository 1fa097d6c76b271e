import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { existsSync, globSync } from 'node:fs';

import type { PostgresBinaries } from '../binaries.ts';
import { readPasswordFile } from '../cluster.ts';
import { dataDirectoryAt } from '../data-directory.ts';
import { startPostgres } from '../start-postgres.ts';
import type { RunningPostgres } from '../start-postgres.ts';
import { runProgram } from '../run-program.ts';

/** The cluster to start, and its place. */
export interface StartCitusOptions {
  /** The programs of a PostgreSQL with Citus, as `findCitus` finds them. */
  readonly programs: PostgresBinaries;
  /** The folder of all files of the cluster. Created if it is missing. */
  readonly dataDirectory: string;
  readonly workers: number;
  /** The coordinator's port; the workers have the following ones. Default: free ports. */
  readonly port?: number;
  /** PostgreSQL's own settings, on every node. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Removes `dataDirectory` when the cluster has stopped. */
  readonly isThrowaway?: boolean;
  /** Called with a line about each slow step. */
  readonly onProgress?: (text: string) => void;
}

/** A node of a cluster that this process runs. */
export type CitusNode = Awaited<ReturnType<typeof startNode>>;

/** A Citus cluster that ends with this process. */
export type RunningCitus = Awaited<ReturnType<typeof startCitus>>;

/**
 * Starts a coordinator and workers on 127.0.0.1. All have the same superuser password, and do not know each other yet:
 * `provisionCitusDatabase` of `@meridian/database` joins them, database by database.
 *
 * @throws {PostgresError} with a message for the user if it cannot
 */
export async function startCitus(options: StartCitusOptions) {
  const root = resolve(options.dataDirectory);
  const password =
    (await readPasswordFile(dataDirectoryAt(join(root, 'coordinator')))) ??
    randomBytes(24).toString('base64url');
  const starting: Promise<CitusNode>[] = [];
  const start = (name: string): Promise<CitusNode> => {
    const port = options.port === undefined ? 0 : options.port + starting.length;
    const { programs, settings, onProgress } = options;
    const node = startNode({
      programs,
      settings,
      onProgress,
      dataDirectory: join(root, name),
      password,
      port,
    });
    starting.push(node);
    return node;
  };
  const workers: CitusNode[] = [];
  let workersStarted = 0;
  /** Starts another server. `citus_add_node` makes it a worker of a database. */
  const startWorker = async (): Promise<CitusNode> => {
    workersStarted += 1;
    const worker = await start(`worker-${workersStarted}`);
    workers.push(worker);
    return worker;
  };
  /** Ends every node. */
  const stop = async (): Promise<void> => {
    const nodes = await Promise.allSettled(starting);
    const started = nodes.filter((node) => node.status === 'fulfilled');
    await Promise.all(started.map(({ value }) => value.stop()));
    if (options.isThrowaway === true) {
      await rm(root, { recursive: true, force: true });
    }
  };

  try {
    const [coordinator] = await Promise.all([
      start('coordinator'),
      ...Array.from({ length: options.workers }, startWorker),
    ]);
    return { coordinator, workers, startWorker, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface NodeOptions extends Pick<StartCitusOptions, 'programs' | 'dataDirectory'> {
  readonly password: string;
  readonly port: number;
  readonly settings: StartCitusOptions['settings'] | undefined;
  readonly onProgress: StartCitusOptions['onProgress'] | undefined;
}

/** The data stays when the node ends: it may be started again. */
async function startNode({ settings, onProgress = () => undefined, ...options }: NodeOptions) {
  const startOn = (port: number): Promise<RunningPostgres> =>
    startPostgres({ ...options, port, onProgress, settings: { ...citusSettings, ...settings } });
  let server = await startOn(options.port);
  return {
    /** The URL of the database `postgres`, as superuser. It survives restarts. */
    url: server.url,
    /** The pids of the node's server and backends. */
    processIds: (): number[] => server.processIds(),
    /** Kills the server and all its backends with SIGKILL, like a power failure. Resolves when they have ended. */
    async kill(): Promise<void> {
      for (const pid of server.processIds()) {
        killIfThere(pid);
      }
      await server.stop();
    },
    /** Starts a killed or stopped node again, with its data and its port. */
    async restart(): Promise<void> {
      await server.stop();
      server = await startOn(server.port);
    },
    stop: (): Promise<void> => server.stop(),
  };
}

/** A backend may have ended by itself. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw error;
    }
  }
}

const citusSettings = {
  shared_preload_libraries: 'citus',
  // Off: loopback needs no TLS, and initdb creates no certificate.
  'citus.node_conninfo': 'sslmode=prefer',
  // Needed for transactions across shards, as when a tenant moves.
  max_prepared_transactions: '200',
  wal_level: 'logical',
  max_worker_processes: '64',
};

/** The variable that names the folder of a PostgreSQL's programs (`postgres`, `initdb`) with Citus installed. */
export const citusVariable = 'CITUS_BIN';

/**
 * The program folders of PostgreSQL's and Citus's packages and images: Debian's and PGDG's, Red Hat's, and a build's
 * own.
 */
const usualFolders = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/pgsql/bin',
  '/usr/local/bin',
];

/**
 * Finds a PostgreSQL with Citus on this machine: in `folder`, or, without one, where packages install it.
 *
 * @returns undefined where there is none
 */
export async function findCitus(folder: string | undefined): Promise<PostgresBinaries | undefined> {
  const folders = folder === undefined ? globSync(usualFolders).toSorted().toReversed() : [folder];
  for (const bin of folders) {
    const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
    if (existsSync(programs.postgres) && existsSync(join(await libraryFolder(bin), 'citus.so'))) {
      return programs;
    }
  }
  return undefined;
}

/** The folder that `pg_config` names; without it, as with Debian's server package, the one beside the programs. */
async function libraryFolder(bin: string): Promise<string> {
  const { succeeded, output } = await runProgram({
    program: join(bin, 'pg_config'),
    arguments: ['--pkglibdir'],
    account: {},
  });
  return succeeded ? output : join(bin, '..', 'lib');
}
