import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A Node program, and what it runs with beside what this process has. */
export interface Program {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** For Node, before the script. */
  readonly nodeFlags?: readonly string[];
}

/** A process that this one started, and ends. */
export interface StartedProgram {
  readonly pid: number;
  readonly stdout: Readable;
  /** Ends it, and settles when it has ended. */
  stop(): Promise<void>;
}

/** The young generation is the same for everyone: a small one costs each of them up to a half. */
const everyonesFlags = ['--max-semi-space-size=64'];

/** Starts a program in production. What it writes on standard error is shown. */
export function startProgram({ script, env, nodeFlags = [] }: Program): StartedProgram {
  const child = spawn(process.execPath, [...everyonesFlags, ...nodeFlags, script], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid, stdout } = child;
  if (pid === undefined) {
    throw new Error(`${script} does not start`);
  }
  return {
    pid,
    stdout,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}

/**
 * The first line that a program writes with this text in it; what follows is read and dropped, for a program that nobody
 * reads stops in the end.
 *
 * @throws where it ends without one
 */
export async function lineWith(text: string, { stdout }: StartedProgram): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    if (line.includes(text)) {
      stdout.resume();
      return line;
    }
  }
  throw new Error(`The program ended without writing ${text}`);
}
