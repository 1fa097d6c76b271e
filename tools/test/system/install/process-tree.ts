import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Hundredths of a second: the unit of times in `/proc` (proc_pid_stat(5)). */
const ticksPerSecond = 100;

/** The processor time of a process and of all that it has started, in seconds. */
export function processorSeconds({ pid = 0 }: ChildProcess): number {
  const ticks = treeOf(pid).map((member) => {
    // The name, in parentheses, may hold spaces. The times are the fields 14 to 17: of itself, and of children that
    // have ended.
    const fields = readFileSync(`/proc/${member}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return ticks.reduce((sum, own) => sum + own, 0) / ticksPerSecond;
}

/** Stops a process and all that it has started, and waits for its end. */
export async function stopTree(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  for (const member of treeOf(child.pid ?? 0).toReversed()) {
    process.kill(member, 'SIGTERM');
  }
  await exited;
}

/** A process, and after it those that it has started. */
function treeOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
}
