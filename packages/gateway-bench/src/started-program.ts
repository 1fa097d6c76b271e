import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Program } from './contenders.ts';
import { pinToCore } from './pin-to-core.ts';

/** A process that this one started, and ends. */
export interface StartedProgram {
  readonly pid: number;
  stop(): Promise<void>;
}

/** The young generation is the same for everyone: a small one costs each of them up to a half. */
const everyonesOptions = ['--max-semi-space-size=64'];

export function startProgram(
  { script, env, nodeOptions = [] }: Program,
  core: number,
): {
  readonly program: StartedProgram;
  readonly child: ChildProcess;
} {
  const child = spawn(process.execPath, [...everyonesOptions, ...nodeOptions, script], {
    env: { ...process.env, NODE_ENV: 'production', APOLLO_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) {
    throw new Error(`${script} does not start`);
  }
  pinToCore(pid, core);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  };
  return { program: { pid, stop }, child };
}

/** The first line of what a process writes. */
export async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) {
    throw new Error('The process has no output');
  }
  const lines = createInterface({ input: stdout });
  const [line]: unknown[] = await once(lines, 'line');
  return String(line);
}

/**
 * Waits until a server answers at all.
 *
 * @throws where its process ends instead, with what it wrote, or where it takes over 30 seconds
 */
export async function untilListening(child: ChildProcess, url: string): Promise<void> {
  let written = '';
  child.stdout?.on('data', (chunk: Buffer) => void (written = (written + chunk.toString()).slice(-2000)));
  child.stderr?.on('data', (chunk: Buffer) => void (written = (written + chunk.toString()).slice(-2000)));
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) {
      throw new Error(lastWords(written));
    }
    const isListening = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isListening) {
      return;
    }
    await sleep(100);
  }
  throw new Error(`it does not listen. ${lastWords(written)}`);
}

function lastWords(text: string): string {
  const line = text.split('\n').find((candidate) => /error|must|cannot/i.test(candidate)) ?? text;
  return line.trim().slice(0, 200);
}
