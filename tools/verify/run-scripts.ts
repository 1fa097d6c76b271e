import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/**
 * Runs scripts of package.json by turbo, and prints the output of each as it ends. One that passed on these very files
 * is not run again. Sets the exit code.
 *
 * @param flags of `turbo run`
 */
export async function runScripts(scripts: readonly string[], flags: readonly string[] = []): Promise<void> {
  const output = ['--continue', '--output-logs=new-only', '--log-order=grouped'];
  await runProgram('turbo', ['run', ...scripts, '--filter=//', ...output, ...flags]);
}

/** Runs a program on this terminal. Sets the exit code where it fails. */
export async function runProgram(program: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const [code] = await once(spawn(program, args, { stdio: 'inherit', env }), 'close');
  if (code !== 0) {
    process.exitCode = 1;
  }
}
