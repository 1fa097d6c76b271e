import type { ValueType } from '../values/index.ts';

import { UsageError } from './usage-error.ts';

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
