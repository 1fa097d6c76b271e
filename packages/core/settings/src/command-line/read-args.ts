import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';

import { UsageError } from './run-command.ts';
import type { ValueType } from '../values/index.ts';

/** The values of a command's flags. */
export type Flags<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];

/** The parsed arguments of a command line. */
export interface ParsedArgs<Options extends ParseArgsOptionsConfig> {
  readonly flags: Flags<Options>;
  /** The positional arguments, as many as were declared. */
  readonly others: readonly string[];
}

/**
 * Parses the arguments of a command line.
 *
 * @param others the names of the positional arguments, in order, such as `<file>`; a last `<file>…` takes one or more
 * @throws {UsageError} for an unknown flag, a flag without its value, and for a missing or an extra argument
 */
export function readArgs<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  others: readonly string[] = [],
): ParsedArgs<Options> {
  const { values: flags, positionals } = parse(args, options);
  const missing = others[positionals.length];
  if (missing !== undefined) {
    throw new UsageError(`${missing} is missing`);
  }
  const unexpected = positionals[others.length];
  const takesMore = others.at(-1)?.endsWith('…') ?? false;
  if (unexpected !== undefined && !takesMore) {
    throw new UsageError(`Unexpected argument '${unexpected}'`);
  }
  return { flags, others: positionals };
}

/**
 * Parses the arguments of a command that takes none.
 *
 * @throws {UsageError} for any
 */
export function noFlags(args: readonly string[]): void {
  readArgs(args, {});
}

function parse<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      // Drops the advice that Node appends.
      const [fault = ''] = error.message.split(/\. |\.?\n/u);
      throw new UsageError(fault, { cause: error });
    }
    throw error;
  }
}

/**
 * Parses the value of a flag or of a positional argument.
 *
 * @param flag the name with its dashes, for the message
 * @throws {UsageError} for a text that the type does not take
 */
export function flagValue<Value>(
  flag: string,
  text: string,
  { takes, parse }: Pick<ValueType<Value>, 'takes' | 'parse'>,
): Value {
  const value = parse(text);
  if (value === undefined) {
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it takes ${takes}`);
  }
  return value;
}
