import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** The folder that the command runs in. */
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a command of this package as `pnpm compose` and `pnpm manifest` do, in a process of its own. */
export async function runCommandProcess(
  command: 'compose' | 'manifest',
  flags: readonly string[],
  { cwd, environment = {} }: CommandOptions,
): Promise<CommandResult> {
  const script = fileURLToPath(new URL(`../../../../../tools/commands/${command}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...flags], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { exitCode: child.exitCode, stdout, stderr };
}
