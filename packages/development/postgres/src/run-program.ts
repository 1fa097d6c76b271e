import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** A program with its arguments and the account that it runs as, ready for `spawn`. */
export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly account: { readonly uid: number; readonly gid: number } | Record<string, never>;
}

/**
 * The environment of PostgreSQL's programs. It has none of this process's variables: `PGDATA` and `PGPORT` would change
 * what the programs do, and `LC_ALL` the messages that are parsed here.
 */
export const programEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The output of a program, and its success. */
export interface Outcome {
  readonly succeeded: boolean;
  readonly output: string;
}

/** Runs a program to its end. A program that cannot be started counts as failed; nothing is thrown. */
export async function runProgram(command: Command): Promise<Outcome> {
  const child = spawn(command.program, command.arguments, {
    ...command.account,
    env: programEnvironment,
    // Its own process group: Ctrl-C at the terminal is for the process that started it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<Outcome>((resolve) => {
    child.once('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.once('close', (code) => resolve({ succeeded: code === 0, output: '' }));
  });
  const [outcome, standardOutput, standardError] = await Promise.all([
    ended,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { ...outcome, output: [outcome.output, standardOutput, standardError].join('').trim() };
}
