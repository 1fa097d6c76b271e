import { readdirSync, readFileSync } from 'node:fs';

import type { RunningPostgres } from '@meridian/postgres';

/**
 * The CPU seconds that the threads of a process have used, those that have ended aside. Exact, where `/proc/<pid>/stat`
 * counts hundredths. Linux only.
 */
export function cpuSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return (
    readdirSync(tasks).reduce((sum, task) => sum + threadNanoseconds(`${tasks}/${task}/schedstat`), 0) / 1e9
  );
}

/** A process and the processes that it started, such as the workers of a gateway. Linux only. */
export function processTree(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** None for a thread that has ended since it was listed. */
function threadNanoseconds(file: string): number {
  const [onCpu] = whileThere(() => readFileSync(file, 'utf8'), '0').split(' ', 1);
  return Number(onCpu);
}

/** Reads something of a process or a thread; another value where that has ended. */
function whileThere<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return otherwise;
    }
    throw error;
  }
}

/** The CPU seconds of all processes of a PostgreSQL, running and ended. */
export function serverCpuSeconds(postgres: Pick<RunningPostgres, 'processIds'>): number {
  const pids = postgres.processIds();
  const [postmaster] = pids;
  if (postmaster === undefined) {
    throw new Error('PostgreSQL has ended');
  }
  // The parent of a process that has ended since it was listed has its time then.
  const running = pids.reduce((sum, pid) => sum + whileThere(() => cpuSeconds(pid), 0), 0);
  return running + endedChildrenCpuSeconds(postmaster);
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

/** The memory that a process has now, in MiB. Linux only. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}
