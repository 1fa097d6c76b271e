// Reads the running processes from the operating system: from /proc on Linux, where `ps` may be missing, and
// from `ps` elsewhere.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** Identifies one process for ever; systems reuse pids. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time, in the system's own format. */
  readonly startedAt: string;
}

/** A running process. */
export interface ProcessEntry extends ProcessIdentity {
  readonly parentPid: number;
  readonly commandLine: string;
}

/** The process with this pid; undefined if there is none. An ended process that was not reaped does not count. */
export function findProcess(pid: number): ProcessEntry | undefined {
  return process.platform === 'linux'
    ? processFromProc(pid)
    : processesFromPs(['-p', String(pid)]).find((entry) => entry.pid === pid);
}

/** True while this process is running; false if a later one has its pid. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  return findProcess(pid)?.startedAt === startedAt;
}

/** The pids of a process's children. */
export function childrenOf(pid: number): number[] {
  const all = process.platform === 'linux' ? processesFromProc() : processesFromPs(['-A']);
  return all.filter((entry) => entry.parentPid === pid).map((entry) => entry.pid);
}

function processesFromProc(): ProcessEntry[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return pids.map((name) => processFromProc(Number(name))).filter((entry) => entry !== undefined);
}

function processFromProc(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): the second field is the name, in parentheses, and may hold anything.
    const [state, parentPid, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') {
      return undefined;
    }
    const ticksSinceBoot = others[17];
    return {
      pid,
      parentPid: Number(parentPid),
      startedAt: `${ticksSinceBoot} since ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`,
      commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
    };
  } catch {
    // It ended between two reads, or never existed.
    return undefined;
  }
}

function processesFromPs(selection: readonly string[]): ProcessEntry[] {
  let table: string;
  try {
    const columns = ['-o', 'pid=', '-o', 'ppid=', '-o', 'state=', '-o', 'lstart=', '-o', 'command='];
    table = execFileSync('ps', ['-ww', ...selection, ...columns], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
  } catch {
    // `ps -p` exits with 1 where there is no such process.
    return [];
  }
  return table.split('\n').flatMap((line) => {
    const [pid, parentPid, state = '', ...words] = line.trim().split(/\s+/u);
    // lstart is always five words, such as "Thu Nov 21 02:41:07 2024".
    if (words.length < 5 || state.startsWith('Z')) {
      return [];
    }
    const startedAt = words.slice(0, 5).join(' ');
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        startedAt,
        commandLine: words.slice(5).join(' '),
      },
    ];
  });
}
