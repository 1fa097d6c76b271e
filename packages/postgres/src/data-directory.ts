import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Account, Launcher } from './launcher.ts';
import { PostgresError } from './postgres-error.ts';
import { runProgram } from './run-program.ts';

/** Where a server keeps what: everything is below one directory, so that removing it leaves nothing. */
export interface DataDirectory {
  readonly root: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  /** A cluster in the making. It gets its name when it is whole, so that an interrupted start is simply begun anew. */
  readonly unfinishedCluster: string;
  /** The superuser's password, readable by the owner only. */
  readonly password: string;
  /** What the server wrote since it was last started. */
  readonly log: string;
  /** Names the process that runs the server. */
  readonly claim: string;
}

/** Names the files below a data directory; touches none. */
export function dataDirectoryAt(root: string): DataDirectory {
  return {
    root,
    cluster: join(root, 'cluster'),
    unfinishedCluster: join(root, 'cluster.unfinished'),
    password: join(root, 'password'),
    log: join(root, 'postgres.log'),
    claim: join(root, 'claim.json'),
  };
}

/** The user `nobody` of most systems: PostgreSQL refuses to run as root, and it needs no account of its own. */
const nobody: Account = { uid: 65_534, gid: 65_534 };

/**
 * The account that the server must run as: as root, whoever owns the cluster already, so that a checkout is usable with
 * and without `sudo`. Undefined means this process's own.
 */
export async function serverAccount({ cluster }: DataDirectory): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const owner = await stat(cluster).catch(() => undefined);
  return owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid };
}

/** Creates the directory where it is missing, closed to other users. */
export async function prepareDataDirectory(
  { root }: DataDirectory,
  account: Account | undefined,
): Promise<void> {
  try {
    await mkdir(root, { recursive: true });
    await chmod(root, 0o700);
    await giveTo(account, root);
  } catch (error) {
    throw new PostgresError(
      `PostgreSQL's data directory ${root} cannot be used by this user (${messageOf(error)}). If an earlier run was as root, remove the directory as root`,
      { cause: error },
    );
  }
}

/** Whether there is a cluster already; then a start takes a second, not several. */
export async function hasCluster({ cluster }: DataDirectory): Promise<boolean> {
  return (await stat(cluster).catch(() => undefined)) !== undefined;
}

/** Makes a new cluster with a new password for its superuser `postgres`. */
export async function createCluster(
  directory: DataDirectory,
  initdb: string,
  launcher: Launcher,
  { isDurable }: { isDurable: boolean },
): Promise<void> {
  await rm(directory.unfinishedCluster, { recursive: true, force: true });
  await writeFile(directory.password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  await giveTo(launcher.account, directory.password);
  const { succeeded, output } = await runProgram(
    launcher.command(initdb, [
      `--pgdata=${directory.unfinishedCluster}`,
      '--username=postgres',
      `--pwfile=${directory.password}`,
      '--auth=scram-sha-256',
      // The same order and character classes on every machine, whatever its locales.
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(isDurable ? [] : ['--no-sync']),
    ]),
  );
  if (!succeeded) {
    throw new PostgresError(
      `PostgreSQL cannot make its data directory ${directory.root}: ${lastLineOf(output)}`,
    );
  }
  await rename(directory.unfinishedCluster, directory.cluster);
}

/**
 * Reads the superuser's password, having made sure that these programs can run the cluster.
 *
 * @throws PostgresError for a cluster that is broken or of another major version.
 */
export async function readPassword(directory: DataDirectory, launcher: Launcher): Promise<string> {
  const [version, password] = await Promise.all([
    readFile(join(directory.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined),
    readFile(directory.password, 'utf8').catch(() => undefined),
  ]);
  if (version === undefined || password === undefined) {
    throw new PostgresError(`PostgreSQL's data directory ${directory.root} is incomplete. ${beginAnew}`);
  }
  if (Number(version) !== launcher.majorVersion) {
    throw new PostgresError(
      `PostgreSQL's data directory ${directory.root} is of PostgreSQL ${version.trim()}, and this is PostgreSQL ${launcher.majorVersion}. ${beginAnew}`,
    );
  }
  return password.trim();
}

/** What to do about data that cannot be used. */
export const beginAnew = 'To begin with new data: pnpm start --fresh';

async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (account !== undefined) {
    await chown(path, account.uid, account.gid);
  }
}

function lastLineOf(output: string): string {
  const errors = output.split('\n').filter((line) => /error|fatal/iu.test(line));
  return errors.at(-1) ?? output;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
