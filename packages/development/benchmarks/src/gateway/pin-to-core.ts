import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Keeps a process, and what it starts from now on, on one core: where there is a second one, and `taskset` (Linux). */
export function pinToCore(pid: number, core: number): void {
  if (cpus().length > 1) {
    pin(pid, String(core));
  }
}

/** Lets a process, and what it starts from now on, use every core. */
export function pinToAllCores(pid: number): void {
  pin(pid, `0-${cpus().length - 1}`);
}

function pin(pid: number, cores: string): void {
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);
}
