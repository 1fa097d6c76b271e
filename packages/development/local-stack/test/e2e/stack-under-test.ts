import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const checkout = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The command of the README, and its program. */
const commands = {
  readme: ['npx', '--yes', 'pnpm@12.21.0', 'start'],
  program: [process.execPath, 'tools/commands/start.ts'],
  dev: [process.execPath, 'tools/commands/dev.ts'],
} as const;

/** A stack that a test started, as the person at the terminal has it. */
export interface StackUnderTest {
  /** Of the command. It leads a process group of its own, as a terminal's job does. */
  readonly pid: number;
  /** Settles with the exit code, or the signal that ended the command. */
  readonly ended: Promise<number | string | null>;
  /** Its output so far. */
  output(): string;
  /** Its output, once it has ended. */
  allOutput(): Promise<string>;
  /** Waits until it has written this. */
  writes(text: string): Promise<void>;
}

/** Starts a stack, by default on free ports. */
export function startStack(
  command: keyof typeof commands,
  dataRoot: string,
  {
    flags = ['--free-ports'],
    env = {},
    cwd = checkout,
  }: { flags?: readonly string[]; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): StackUnderTest {
  const [program, ...args] = [...commands[command], '--data', dataRoot, ...flags];
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const closed = once(child, 'close');
  return {
    pid: Number(child.pid),
    ended: new Promise((resolve) => void child.once('exit', (code, signal) => resolve(code ?? signal))),
    output: () => output,
    allOutput: () => closed.then(() => output),
    async writes(text) {
      const written = Promise.withResolvers<void>();
      const look = () => output.includes(text) && written.resolve();
      look();
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      await Promise.race([written.promise, closed]);
      child.stdout.off('data', look);
      child.stderr.off('data', look);
      if (!output.includes(text)) {
        throw new Error(`The stack ended without writing ${JSON.stringify(text)}:\n${output}`);
      }
    },
  };
}

/** The output of the program of `pnpm run token`, without the end of the line. */
export async function printToken(dataRoot: string): Promise<string> {
  const child = spawn(process.execPath, ['tools/commands/token.ts', '--data', dataRoot], { cwd: checkout });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return output.trimEnd();
}
