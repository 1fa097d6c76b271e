import { claim, releaseClaim } from '@meridian/processes';

import { giveTo } from './data-directory.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Account } from './launcher.ts';
import { PostgresError } from './postgres-error.ts';

/**
 * Claims a data directory for this process, so that a second start on it does not stop a running server.
 *
 * @throws {PostgresError} while another process holds it
 */
export async function claimDataDirectory(
  { claim: path, root }: DataDirectory,
  account: Account | undefined,
): Promise<void> {
  const holder = await claim(path);
  if (holder !== undefined) {
    throw new PostgresError(
      `PostgreSQL is running on ${root} already, started by process ${holder.pid}. Stop that one first, with Ctrl-C where it was started`,
    );
  }
  await giveTo(account, path);
}

/** Releases the data directory. */
export async function releaseDataDirectory({ claim: path }: DataDirectory): Promise<void> {
  await releaseClaim(path);
}
