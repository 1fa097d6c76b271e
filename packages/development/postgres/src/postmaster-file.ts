import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The content of a running server's `postmaster.pid` in its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  /** True when it accepts connections. */
  readonly isReady: boolean;
}

/** The path where a server of this cluster writes its pid. */
export function postmasterFilePath(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** Reads `postmaster.pid`; undefined if it does not exist, or not completely yet. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFilePath(cluster), 'utf8').catch(() => '');
  // PostgreSQL's pidfile.h: line 1 is the pid, line 8 the status. The pid of a standalone backend is negative.
  const lines = text.split('\n');
  const pid = Math.abs(Number(lines[0]));
  return pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : undefined;
}
