import process from 'node:process';
import type { ParseArgsOptionsConfig } from 'node:util';
import { parseArgs } from 'node:util';

/** A failure that the person at the terminal can mend: its message is all that they need, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A command that is run beside the gateway. */
export interface Command<Options extends ParseArgsOptionsConfig> {
  readonly help: string;
  readonly options: Options;
  /** How many words beside the flags it takes; none unless told. */
  readonly words?: number;
  /** Throws what `isMendable` names for what the person at the terminal can mend. */
  readonly run: (flags: Flags<Options>, words: readonly string[]) => Promise<void>;
  /** The errors, beside CommandError, whose message is enough. */
  readonly mendable?: readonly (abstract new (...args: never[]) => Error)[];
}

type Flags<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: true }>
>['values'];

/** Runs a command with the words of the command line. The exit code is 1 when it fails, and 2 when it was called wrongly. */
export async function runCommand<Options extends ParseArgsOptionsConfig>(
  { help, options, words = 0, run, mendable = [] }: Command<Options>,
  args: readonly string[],
): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(`${help}\n`);
    return;
  }
  let parsed: { values: Flags<Options>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    if (parsed.positionals.length !== words) {
      throw new Error(words === 0 ? 'It takes flags only' : `It takes ${words} beside its flags`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}\n`);
    process.exitCode = 2;
    return;
  }
  try {
    await run(parsed.values, parsed.positionals);
  } catch (error) {
    if (!(error instanceof Error) || ![CommandError, ...mendable].some((kind) => error instanceof kind)) {
      throw error;
    }
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
