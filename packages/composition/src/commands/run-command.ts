import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

import { CommandError } from '../command-error.ts';

/** A command of the repository: its flags, its help text and what it does. */
export interface Command<Options extends ParseArgsOptionsConfig> {
  readonly help: string;
  readonly options: Options;
  /** Throws a `CommandError` for what the person at the terminal can mend. */
  readonly run: (flags: Flags<Options>) => Promise<void>;
}

type Flags<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true }>
>['values'];

/** Runs a command with the words of the command line. The exit code is 1 when it fails and 2 when it was called wrongly. */
export async function runCommand<Options extends ParseArgsOptionsConfig>(
  command: Command<Options>,
  words: readonly string[],
): Promise<void> {
  if (words.includes('--help')) {
    process.stdout.write(`${command.help}\n`);
    return;
  }

  let flags: Flags<Options>;
  try {
    flags = parseArgs({ args: [...words], options: command.options, strict: true }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${command.help}\n`);
    process.exitCode = 2;
    return;
  }

  try {
    await command.run(flags);
  } catch (error) {
    if (!isMendable(error)) {
      throw error;
    }
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** The system's own errors say what was tried and on which file; anything else but ours is a bug and shows its stack. */
function isMendable(error: unknown): error is Error {
  return error instanceof CommandError || (error instanceof Error && 'syscall' in error);
}
