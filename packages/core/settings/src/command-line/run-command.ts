import process from 'node:process';

import { printableLines } from '../values/index.ts';

/** A command of the command line. */
export interface Command<Call> {
  /** The name as typed, such as `pnpm compose`. */
  readonly name: string;
  /** The text of `--help`, or how to make it; its first line is `Usage: `, the name, and the arguments. */
  readonly help: string | (() => string);
  /**
   * Parses the arguments to a call.
   *
   * @throws {UsageError} for one that the command cannot take
   */
  readonly read: (args: readonly string[]) => Call;
  /** Runs the call. A failing check sets the exit code 1, or throws a `CommandError`. */
  readonly run: (call: Call) => void | Promise<void>;
  /** The message for an error other than a `CommandError` that the user can fix; undefined for a bug. */
  readonly lineFor?: (error: unknown) => string | undefined;
}

/**
 * Runs a command with the arguments of this process. Exit code: 0, 1 for a failure, 2 for a wrong call. A reader that
 * closes its pipe, as in `pnpm graph usage | head`, changes neither the run nor its exit code.
 */
export async function runCommand<Call>(
  { name, help, read, run, lineFor = () => undefined }: Command<Call>,
  [first, ...rest]: readonly string[] = process.argv.slice(2),
): Promise<void> {
  outliveReader(process.stdout);
  outliveReader(process.stderr);
  // npm users write `pnpm run token -- --tenant acme`; pnpm passes the dashes on.
  const args = first === undefined || first === '--' ? rest : [first, ...rest];
  try {
    if (args.includes('--help') || args.includes('-h')) {
      const text = typeof help === 'string' ? help : help();
      process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    } else {
      await run(read(args));
    }
  } catch (error) {
    const isWrongCall = error instanceof UsageError;
    const line = isWrongCall || error instanceof CommandError ? error.message : lineFor(error);
    if (line === undefined) {
      throw error;
    }
    const printed = printableLines(line);
    process.stderr.write(isWrongCall ? `${printed}: see ${name} --help\n` : `${printed}\n`);
    process.exitCode = isWrongCall ? 2 : 1;
  }
}

/**
 * Drops the rest of the output when its reader has closed the pipe. The command still runs to its end: it may be halfway
 * through its files, or a server.
 */
function outliveReader(output: NodeJS.WriteStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    const isAlone = output.listenerCount('error') === 1; // a command may listen for other errors itself
    if (error.code !== 'EPIPE' && isAlone) {
      throw error;
    }
  });
}

/** A failure that the user can fix. The message suffices, without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A wrong call of a command. The message is one line without a full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
