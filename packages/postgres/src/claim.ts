import { link, readFile, rm, writeFile } from 'node:fs/promises';

import { type DataDirectory, giveTo } from './data-directory.ts';
import type { Account } from './launcher.ts';
import { PostgresError } from './postgres-error.ts';
import { findProcess } from './process-table.ts';

interface Claimant {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * Claims a data directory for this process, so that a second start on it stops nobody's server. The claim of a process
 * that has ended counts for nothing, also where its pid is another process's now.
 *
 * @throws PostgresError while another process holds it.
 */
export async function claimDataDirectory(
  { claim: path, root }: DataDirectory,
  account: Account | undefined,
): Promise<void> {
  const self: Claimant = { pid: process.pid, startedAt: findProcess(process.pid)?.startedAt ?? '' };
  while (!(await wroteFirst(path, JSON.stringify(self), account))) {
    const holder = await readClaimant(path);
    if (holder !== undefined && findProcess(holder.pid)?.startedAt === holder.startedAt) {
      throw new PostgresError(
        `PostgreSQL is running on ${root} already, started by process ${holder.pid}. Stop that one first, with Ctrl-C where it was started`,
      );
    }
    await rm(path, { force: true });
  }
}

/** Gives the data directory free again. */
export async function releaseDataDirectory({ claim }: DataDirectory): Promise<void> {
  await rm(claim, { force: true });
}

/** Makes the file with this content, whole from the first moment on; false where there is one already. */
async function wroteFirst(path: string, content: string, account: Account | undefined): Promise<boolean> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, content, { mode: 0o600 });
  await giveTo(account, draft);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readClaimant(path: string): Promise<Claimant | undefined> {
  try {
    const claimant: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isClaimant(claimant) ? claimant : undefined;
  } catch {
    // Given free in the meantime.
    return undefined;
  }
}

function isClaimant(value: unknown): value is Claimant {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  );
}
