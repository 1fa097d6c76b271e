import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** A program, and what it runs with beside this process's own environment. */
export type Program = NodeProgram | NativeProgram;

export interface NodeProgram {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** For Node, before the script. */
  readonly nodeFlags?: readonly string[];
  /** True for a program that sets its own young generation. Default: it gets the common one. */
  readonly setsYoungGeneration?: boolean;
}

export interface NativeProgram {
  /** The path of the binary. */
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A process that this one started, and ends. */
export type StartedProgram = ReturnType<typeof startProgram>;

export interface StartOptions {
  /** The program's standard error: shown, or kept for the caller to read. Default: `inherit`. */
  readonly stderr?: 'inherit' | 'pipe';
}

/** The young generation of every Node contender that sets none: a small one costs each of them up to a half. */
const youngGeneration = '--max-semi-space-size=64';

/** A program that drains its connections first is not worth a longer wait. */
const stopTimeoutMs = 2000;

/** Starts a program in production. */
export function startProgram(program: Program, { stderr = 'inherit' }: StartOptions = {}) {
  const [command, ...args] = commandOf(program);
  const child = spawn(command, args, {
    env: { ...process.env, NODE_ENV: 'production', APOLLO_TELEMETRY_DISABLED: '1', ...program.env },
    stdio: ['ignore', 'pipe', stderr],
  });
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) {
    child.on('error', () => {});
    throw new Error(`${args.at(-1) ?? command} does not start`);
  }
  return {
    pid,
    child,
    stdout,
    /** Ends the process. Settles when it has ended. */
    async stop(): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        const timeout = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
        await once(child, 'exit');
        clearTimeout(timeout);
      }
    },
  };
}

function commandOf(program: Program): readonly [string, ...string[]] {
  if ('executable' in program) {
    return [program.executable];
  }
  const { script, nodeFlags = [], setsYoungGeneration = false } = program;
  return [process.execPath, ...(setsYoungGeneration ? [] : [youngGeneration]), ...nodeFlags, script];
}

/**
 * Reads the first line of a program's output that contains a text. Later output is read and dropped, so that the
 * program never blocks on a full pipe.
 *
 * @throws {Error} where the program ends without such a line
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

/**
 * Waits until a server responds at all. Its later output is read and dropped.
 *
 * @throws {Error} where its process ends instead, with its last output, or after 30 seconds
 */
export async function untilListening({ child }: StartedProgram, url: string): Promise<void> {
  let written = '';
  const keep = (chunk: Buffer): void => void (written = (written + chunk.toString()).slice(-2000));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
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
    await delay(100);
  }
  throw new Error(`it does not listen. ${lastWords(written)}`);
}

function lastWords(text: string): string {
  const line = text.split('\n').find((candidate) => /error|must|cannot/i.test(candidate)) ?? text;
  return line.trim().slice(0, 200);
}
