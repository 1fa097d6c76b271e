import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

import { StackError } from './stack-error.ts';

/** What the flags of a command hold. */
export type FlagsOf<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];

/**
 * Reads the flags of a command.
 *
 * @param command how it is called, for the message
 * @throws StackError which names the flag that it does not know or that lacks its value
 */
export function readFlags<const Options extends ParseArgsOptionsConfig>(
  command: string,
  commandLine: readonly string[],
  options: Options,
): FlagsOf<Options> {
  // `pnpm run token -- --tenant acme` is how npm wants it; pnpm passes the dashes on.
  const args = commandLine[0] === '--' ? commandLine.slice(1) : [...commandLine];
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      // Node adds a second sentence of advice, which is about positional arguments.
      const [fault] = error.message.split(/\. |\n/u);
      throw new StackError(`${fault}: see ${command} --help`, { cause: error });
    }
    throw error;
  }
}
