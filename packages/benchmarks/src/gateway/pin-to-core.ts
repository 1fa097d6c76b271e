import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Keeps a process, and what it starts from now on, on one core: where there is a second one, and `taskset` (Linux). */
export function pinToCore(pid: number, core: number): void {
  if (cpus().length > 1) {
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
  }
}
