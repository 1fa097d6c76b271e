import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

import { CallError } from './usage-error.ts';

/** What the flags of a command hold. */
export type Flags<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];

/** The words of a command line, sorted. */
export interface Words<Options extends ParseArgsOptionsConfig> {
  readonly flags: Flags<Options>;
  /** Those that are no flags and belong to none, as many as were asked for. */
  readonly others: readonly string[];
}

/**
 * Sorts the words of a command line.
 *
 * @param others names the words that the command takes beside its flags, in their order, such as `<file>`; a last `<file>…` takes
 *   one or more
 * @throws {CallError} for a flag that there is not or that lacks its value, and for a word too few or too many
 */
export function readWords<const Options extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: Options,
  others: readonly string[] = [],
): Words<Options> {
  const { values: flags, positionals } = parse(words, options);
  const missing = others[positionals.length];
  if (missing !== undefined) {
    throw new CallError(`${missing} is missing`);
  }
  const unexpected = positionals[others.length];
  const takesMore = others.at(-1)?.endsWith('…') ?? false;
  if (unexpected !== undefined && !takesMore) {
    throw new CallError(`Unexpected argument '${unexpected}'`);
  }
  return { flags, others: positionals };
}

function parse<Options extends ParseArgsOptionsConfig>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      // Node adds sentences of advice.
      const [fault = ''] = error.message.split(/\. |\.?\n/u);
      throw new CallError(fault, { cause: error });
    }
    throw error;
  }
}
