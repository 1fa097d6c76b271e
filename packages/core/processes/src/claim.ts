import { link, readFile, rm, writeFile } from 'node:fs/promises';
import process from 'node:process';

import { findProcess, isRunning } from './process-table.ts';
import type { ProcessIdentity } from './process-table.ts';

/**
 * Claims a path, such as a directory, for this process: the file there names the process. The claim of an ended process
 * is void, even if another process has its pid now.
 *
 * @returns the holder of the claim, or undefined when this process now holds it
 */
export async function claim(path: string): Promise<ProcessIdentity | undefined> {
  const self: ProcessIdentity = { pid: process.pid, startedAt: findProcess(process.pid)?.startedAt ?? '' };
  while (!(await wroteFirst(path, JSON.stringify(self)))) {
    const holder = await readClaim(path);
    if (holder !== undefined && isRunning(holder)) {
      return holder;
    }
    await rm(path, { force: true });
  }
  return undefined;
}

/** Releases the claim of this process. */
export async function releaseClaim(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Creates the file with its content in one step; false if it exists already. */
async function wroteFirst(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, content, { mode: 0o600 });
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

async function readClaim(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isProcessIdentity(holder) ? holder : undefined;
  } catch {
    // Released in the meantime, or not a claim.
    return undefined;
  }
}

function isProcessIdentity(value: unknown): value is ProcessIdentity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  );
}
