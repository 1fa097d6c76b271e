// The remains of a stack, from Linux's /proc.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

import { childrenOf, findPortHolder, findProcess, isRunning, portsOf } from '@meridian/processes';
import type { ProcessEntry } from '@meridian/processes';

/** The processes of a running stack, and the ports that they listen on. */
export interface Traces {
  readonly processes: readonly ProcessEntry[];
  readonly ports: readonly number[];
}

/** Records the processes that a command has started, itself included, and their ports. */
export function tracesOf(commandPid: number): Traces {
  const processes = withDescendants(commandPid)
    .map(findProcess)
    .filter((entry) => entry !== undefined);
  return { processes, ports: [...new Set(processes.flatMap(({ pid }) => portsOf(pid)))] };
}

/** The rest of them: the command line of each process, the number of each port. */
export function remainsOf({ processes, ports }: Traces): string[] {
  return [
    ...processes.filter(isRunning).map(({ commandLine }) => commandLine),
    ...ports.filter((port) => findPortHolder(port) !== undefined).map((port) => `port ${port}`),
  ];
}

/** The apps among the processes, by name. */
export function appsOf({ processes }: Traces): Map<string, ProcessEntry> {
  return new Map(
    processes.flatMap((entry) => {
      const name = /apps\/([a-z]+)\/src\/main\.ts$/u.exec(entry.commandLine)?.[1];
      return name === undefined ? [] : [[name, entry] as const];
    }),
  );
}

/** The command lines of all processes that name a folder, or have it as their working directory. */
export function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      [
        () => readlinkSync(`/proc/${pid}/cwd`),
        () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
        () => readFileSync(`/proc/${pid}/environ`, 'utf8'),
      ].some((read) => readOr('', read).includes(folder)),
    )
    .flatMap((pid) => findProcess(Number(pid))?.commandLine ?? []);
}

function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)];
}

/** Processes start and end while they are read. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
