import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { childrenOf, findProcess } from '@meridian/processes';

import { PostgresError } from './postgres-error.ts';

/**
 * Ends a server: by fast shutdown, then by immediate shutdown, which recovers at the next start, then by force.
 *
 * @param hasEnded tells whether it has
 * @throws {PostgresError} if it has still not ended
 */
export async function endServer(postmasterPid: number, hasEnded: () => boolean): Promise<void> {
  if (hasEnded()) {
    // The pid may belong to another process now.
    return;
  }
  const children = childrenOf(postmasterPid);
  for (const [signal, timeoutMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    sendSignal(postmasterPid, signal);
    if (signal === 'SIGKILL') {
      children.forEach((pid) => sendSignal(pid, signal));
    }
    if (await becomesTrue(hasEnded, timeoutMs)) {
      return;
    }
  }
  throw new PostgresError(`The PostgreSQL of process ${postmasterPid} does not end, not even by SIGKILL`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

async function becomesTrue(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > deadline) {
      return false;
    }
    await delay(20);
  }
  return true;
}

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

/** The content of a running server's `postmaster.pid` in its cluster. */
interface PostmasterFile {
  readonly pid: number;
  /** True when it accepts connections. */
  readonly isReady: boolean;
}

/** The path where a server of this cluster writes its pid. */
function postmasterFilePath(cluster: string): string {
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
