import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import process from 'node:process';

import { findFreePort } from '@meridian/processes';

import { giveTo, nobody } from '../data-directory.ts';
import type { Account } from '../launcher.ts';
import { PostgresError } from '../postgres-error.ts';

/** The server behind a PgBouncer. */
export interface PgbouncerOptions {
  /** `postgresql://…` of a service, with its role, password and database. */
  readonly serviceUrl: string;
  /** The statement timeout that the service requests when it connects, which PgBouncer does not pass on. */
  readonly statementTimeoutMs: number;
}

/** A PgBouncer in front of one database, which ends with this process. */
export interface RunningPgbouncer {
  /** The service's URL through PgBouncer. */
  readonly url: string;
  /** Ends it, under any connection that is still open. */
  stop(): Promise<void>;
}

/**
 * Starts the machine's PgBouncer on a free port of 127.0.0.1, in transaction mode.
 *
 * @throws {PostgresError} if there is none, or it does not start
 */
export async function startPgbouncer(options: PgbouncerOptions): Promise<RunningPgbouncer> {
  // Like PostgreSQL, it refuses to run as root.
  const account = process.getuid?.() === 0 ? nobody : undefined;
  const directory = await mkdtemp(join(tmpdir(), 'meridian-pgbouncer-'));
  const port = await findFreePort();
  const files = configurationFiles(options, { port, directory });
  for (const [path, text] of Object.entries(files)) {
    await writeFile(path, text, { mode: 0o600 });
    await giveTo(account, path);
  }
  await giveTo(account, directory);
  const child = spawnWithWatchdog(join(directory, 'pgbouncer.ini'), account);
  await untilUp(child);
  child.unref();
  const url = new URL(options.serviceUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      const ended = once(child, 'exit');
      child.ref();
      child.stdin.end();
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}

/** The files of a PgBouncer, by their paths: what packages/services/database's README tells an operator to write. */
function configurationFiles(
  { serviceUrl, statementTimeoutMs }: PgbouncerOptions,
  { port, directory }: { readonly port: number; readonly directory: string },
): Record<string, string> {
  const { hostname, port: serverPort, username, password } = new URL(serviceUrl);
  const users = join(directory, 'users.txt');
  const settings = [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
  ].join('; ');
  return {
    [users]: `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
    [join(directory, 'pgbouncer.ini')]: `[databases]
* = host=${hostname} port=${serverPort} connect_query='${settings}'

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
default_pool_size = 10
max_client_conn = 200
server_login_retry = 1
query_wait_timeout = 2
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
auth_type = scram-sha-256
auth_file = ${users}
`,
  };
}

type Child = ChildProcessByStdio<Writable, null, Readable>;

/** PgBouncer ends with the pipe to it, and so with this process, however that ends. */
const script = `
pgbouncer "$1" &
read -r _
kill "$!"
wait
`;

function spawnWithWatchdog(configuration: string, account: Account | undefined): Child {
  const child = spawn('/bin/sh', ['-c', script, 'pgbouncer-watchdog', configuration], {
    ...account,
    // Debian installs it in a folder that is not on an ordinary user's PATH.
    env: { PATH: `${process.env['PATH'] ?? '/usr/bin:/bin'}:/usr/sbin` },
    // Its own process group: Ctrl-C at the terminal is for this process, which then stops it.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  return child;
}

async function untilUp(child: Child): Promise<void> {
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (line.includes('process up')) {
      child.stderr.resume();
      return;
    }
    if (/not found|FATAL|ERROR/u.test(line)) {
      break;
    }
  }
  child.stdin.end();
  throw new PostgresError(
    `PgBouncer did not start: ${said.join('; ')}. Debian has it: apt-get install pgbouncer`,
  );
}

/** The route from the services of a suite to their database. */
export interface TestRoute {
  readonly serviceUrl: string;
  /** True if the route is through PgBouncer: the server then sees PgBouncer's connections, not a service's. */
  readonly isPooled: boolean;
  /** Ends it, with any connection that is still open. */
  close(): Promise<void>;
}

/** The variable that sends the services of a test run through PgBouncer. */
const poolerVariable = 'MERIDIAN_TEST_POOLER';

/**
 * Opens the route of this test run: direct, or, if `MERIDIAN_TEST_POOLER` is `pgbouncer`, through the suite's own
 * PgBouncer.
 */
export async function openTestRoute(options: PgbouncerOptions): Promise<TestRoute> {
  if (process.env[poolerVariable] !== 'pgbouncer') {
    return { serviceUrl: options.serviceUrl, isPooled: false, close: () => Promise.resolve() };
  }
  const pgbouncer = await startPgbouncer(options);
  return { serviceUrl: pgbouncer.url, isPooled: true, close: () => pgbouncer.stop() };
}
