import { textType } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/** Any text that is not empty. */
export const text: ValueType<string> = textType('a text', (value) => (value === '' ? undefined : value));

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): ValueType<Word> {
  const takes = words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`;
  return textType(takes, (value) => words.find((word) => word === value), { enum: words });
}

/** Exactly `true` or `false`: `0`, `no` and the like are rejected, not guessed. */
export const boolean: ValueType<boolean> = {
  takes: 'true or false',
  schema: { type: 'boolean' },
  parse: (value) => value === 'true' || (value === 'false' ? false : undefined),
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};
