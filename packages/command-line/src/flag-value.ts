import type { ValueType } from '@meridian/values';

import { UsageError } from './usage-error.ts';

/**
 * The value that a flag or a word holds.
 *
 * @param flag with its dashes, for the message
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
