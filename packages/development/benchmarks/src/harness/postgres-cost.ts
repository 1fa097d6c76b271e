import { readFileSync } from 'node:fs';

import type { RunningPostgres } from '@meridian/postgres';

import { cpuSeconds } from './process-cost.ts';

/** The CPU seconds of all processes of a PostgreSQL, running and ended. */
export function serverCpuSeconds(postgres: Pick<RunningPostgres, 'processIds'>): number {
  const [postmaster, ...backends] = postgres.processIds();
  if (postmaster === undefined) {
    throw new Error('PostgreSQL has ended');
  }
  const running = [postmaster, ...backends].reduce((sum, pid) => sum + cpuSecondsWhileRunning(pid), 0);
  return running + endedChildrenCpuSeconds(postmaster);
}

/** None for a process that has ended since it was listed: its parent has its time then. */
function cpuSecondsWhileRunning(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return 0;
    }
    throw error;
  }
}

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The CPU seconds of the children of a process that have ended. Linux only. */
function endedChildrenCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the command is in parentheses, and may hold any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
