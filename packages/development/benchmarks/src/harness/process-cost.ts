import { readdirSync, readFileSync } from 'node:fs';

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
  try {
    const [onCpu] = readFileSync(file, 'utf8').split(' ', 1);
    return Number(onCpu);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return 0;
    }
    throw error;
  }
}

/** The memory that a process has now, in MiB. Linux only. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}
