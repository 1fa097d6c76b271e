import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { beginAnew, giveTo } from './data-directory.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Launcher } from './launcher.ts';
import { PostgresError } from './postgres-error.ts';
import { runProgram } from './run-program.ts';

/** True when the data directory already has a cluster; a first start takes longer. */
export async function hasCluster({ cluster }: DataDirectory): Promise<boolean> {
  return (await stat(cluster).catch(() => undefined)) !== undefined;
}

/**
 * Creates a cluster with a password for its superuser `postgres`. It gets its name once it is complete, so an
 * interrupted start can simply be repeated.
 *
 * @throws {PostgresError} with initdb's reason
 */
export async function createCluster(
  directory: DataDirectory,
  initdb: string,
  launcher: Launcher,
  { isDurable, password }: { readonly isDurable: boolean; readonly password: string },
): Promise<void> {
  const unfinished = `${directory.cluster}.unfinished`;
  await removeAll(directory.root, basename(unfinished));
  // A name with this process's pid: the initdb of an interrupted start may still be writing.
  const cluster = `${unfinished}.${process.pid}`;
  await writeFile(directory.password, `${password}\n`, { mode: 0o600 });
  await giveTo(launcher.account, directory.password);
  const { succeeded, output } = await runProgram(
    launcher.command(initdb, [
      `--pgdata=${cluster}`,
      '--username=postgres',
      `--pwfile=${directory.password}`,
      '--auth=scram-sha-256',
      // The same collation on every machine, whatever its locales.
      '--encoding=UTF8',
      '--locale=C',
      ...(launcher.majorVersion < 17 ? [] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
      '--no-instructions',
      ...(isDurable ? [] : ['--no-sync']),
    ]),
  );
  if (!succeeded) {
    throw new PostgresError(
      `PostgreSQL cannot create its data directory ${directory.root}: ${errorIn(output)}`,
    );
  }
  await rename(cluster, directory.cluster);
}

/**
 * Reads the superuser's password, and makes sure that these programs can run the cluster.
 *
 * @throws {PostgresError} for a broken cluster, or one of another major version
 */
export async function readPassword(directory: DataDirectory, launcher: Launcher): Promise<string> {
  const [version, password] = await Promise.all([
    readFile(join(directory.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined),
    readPasswordFile(directory),
  ]);
  if (version === undefined || password === undefined) {
    throw new PostgresError(`PostgreSQL's data directory ${directory.root} is incomplete. ${beginAnew}`);
  }
  if (Number(version) !== launcher.majorVersion) {
    throw new PostgresError(
      `PostgreSQL's data directory ${directory.root} is of PostgreSQL ${version.trim()}, and this is PostgreSQL ${launcher.majorVersion}. ${beginAnew}`,
    );
  }
  return password;
}

/** Reads the superuser's password of a data directory that may not exist yet. */
export async function readPasswordFile({ password }: DataDirectory): Promise<string | undefined> {
  return (await readFile(password, 'utf8').catch(() => undefined))?.trim();
}

async function removeAll(directory: string, prefix: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(prefix));
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}

/** initdb describes each step, and the fault in the end. */
function errorIn(output: string): string {
  return output.split('\n').findLast((line) => /error|fatal/iu.test(line)) ?? output;
}
