import { rm } from 'node:fs/promises';

import { findProcess } from '@meridian/processes';

import { endServer } from './end-server.ts';
import { postmasterFilePath, readPostmasterFile } from './postmaster-file.ts';

/**
 * Ends a server that an earlier run left behind on this cluster, and removes the pid file of a crashed server. Claim
 * the data directory first: then no process uses that server.
 */
export async function stopEarlierServer(cluster: string, onProgress: (text: string) => void): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file === undefined) {
    return;
  }
  if (isServerOf(cluster, file.pid)) {
    onProgress('Stopping a PostgreSQL that an earlier run left behind');
    await endServer(file.pid, () => !isServerOf(cluster, file.pid));
  }
  await rm(postmasterFilePath(cluster), { force: true });
}

/** The pid in a stale file may belong to another process now. */
function isServerOf(cluster: string, pid: number): boolean {
  return findProcess(pid)?.commandLine.includes(cluster) ?? false;
}
