import { textType } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/** Any text that is not empty. */
export const text: ValueType<string> = textType('a text', (value) => (value === '' ? undefined : value));

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): ValueType<Word> {
  const takes = words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`;
  return textType(takes, (value) => words.find((word) => word === value), { enum: words });
}

/** `true` or `false`, spelt so: `0`, `no` and the like are refused rather than guessed at. */
export const boolean: ValueType<boolean> = {
  takes: 'true or false',
  schema: { type: 'boolean' },
  parse: (value) => value === 'true' || (value === 'false' ? false : undefined),
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};
