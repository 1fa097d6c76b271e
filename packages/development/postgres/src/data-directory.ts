import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Account } from './launcher.ts';
import { PostgresError } from './postgres-error.ts';

/** The files of a server. All are below one directory, so removing that removes everything. */
export type DataDirectory = Readonly<ReturnType<typeof dataDirectoryAt>>;

/** Names the files below a data directory, without touching any. */
export function dataDirectoryAt(root: string) {
  return {
    root,
    /** PostgreSQL's own data directory. */
    cluster: join(root, 'cluster'),
    /** The superuser's password, readable by the owner only. */
    password: join(root, 'password'),
    /** The server's output since its last start. */
    log: join(root, 'postgres.log'),
    /** Names the process that runs the server. */
    claim: join(root, 'claim.json'),
  };
}

/** The user `nobody` of most systems: PostgreSQL refuses to run as root, and it needs no account of its own. */
export const nobody: Account = { uid: 65_534, gid: 65_534 };

/**
 * The account that the server must run as: as root, the owner of an existing cluster, so that a checkout works with and
 * without `sudo`. Undefined: this process's own.
 */
export async function serverAccount({ cluster }: DataDirectory): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const owner = await stat(cluster).catch(() => undefined);
  return owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid };
}

/**
 * Creates the directory where it is missing, closed to other users.
 *
 * @throws {PostgresError} when it cannot be used
 */
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
      `PostgreSQL's data directory ${root} is not this user's (${error instanceof Error ? error.message : String(error)}). If an earlier run was as root, remove it as root`,
      { cause: error },
    );
  }
}

/** Gives a file or directory to the account of the server. */
export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (account !== undefined) {
    await chown(path, account.uid, account.gid);
  }
}

/** The advice for unusable data. */
export const beginAnew = 'To start over with new data: pnpm start --fresh';
