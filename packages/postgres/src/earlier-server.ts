import { rm } from 'node:fs/promises';

import { findProcess } from '@meridian/processes';

import { endServer } from './end-server.ts';
import { postmasterFilePath, readPostmasterFile } from './postmaster-file.ts';

/**
 * Ends the server that an earlier run left behind on this cluster, and removes the file by which a server that
 * crashed claims to be running. Call it only with the data directory claimed: then that server is unused.
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

/** The pid in a stale file may be any process's by now. */
function isServerOf(cluster: string, pid: number): boolean {
  return findProcess(pid)?.commandLine.includes(cluster) ?? false;
}
