import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { checkout } from '../data-directory.ts';
import { findExitReason } from './find-exit-reason.ts';
import type { ProcessRecord } from './process-record.ts';

/** A Node program of the checkout, with its arguments and environment. */
export interface Program {
  /** The name for messages. */
  readonly name: string;
  /** Relative to the checkout, such as `apps/accounts/src/main.ts`. */
  readonly entry: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The file that its output is appended to. */
  readonly log: string;
}

/** A running program. */
export interface RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
}

/** The end of a program. */
export interface Ending {
  /** True when it has completed its work. */
  readonly isGood: boolean;
  /** The predicate of a message: `was killed by SIGKILL`. */
  readonly how: string;
}

const preload = new URL('../preload/end-with-stack.ts', import.meta.url).href;

/**
 * Starts a program that ends with this process, however this process ends.
 *
 * @param output the destination of its standard output; its standard error goes to the log
 */
export async function startProgram(
  { name, entry, environment, log }: Program,
  record: ProcessRecord,
  output: 'log' | 'pipe' = 'log',
): Promise<RunningProgram> {
  const logFile = await open(log, 'a', 0o600);
  try {
    const { size: logBegin } = await logFile.stat();
    const child = spawn(process.execPath, ['--import', preload, join(checkout, entry)], {
      cwd: checkout,
      env: environment,
      // Its own process group: Ctrl-C at the terminal is for the stack, which stops its programs in order.
      detached: true,
      stdio: ['ignore', output === 'log' ? logFile.fd : 'pipe', logFile.fd, 'ipc'],
    });
    const exited = once(child, 'exit');
    await once(child, 'spawn');
    const pid = Number(child.pid);
    record.add(name, pid);
    const ended = exited.then(async () => {
      record.remove(pid);
      return { isGood: child.exitCode === 0, how: await describeEnd(child, log, logBegin) };
    });
    return { child, ended };
  } finally {
    await logFile.close();
  }
}

async function describeEnd(
  { exitCode, signalCode }: ChildProcess,
  log: string,
  logBegin: number,
): Promise<string> {
  if (signalCode !== null) {
    return `was killed by ${signalCode}`;
  }
  if (exitCode === 0) {
    return 'ended with exit code 0';
  }
  const output = await readFile(log).catch(() => Buffer.alloc(0));
  const args = findExitReason(output.subarray(logBegin).toString(), checkout);
  return `ended with exit code ${exitCode}${args === undefined ? '' : `: ${args}`}`;
}
