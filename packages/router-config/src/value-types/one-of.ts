import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
  return {
    read: (value, at) => {
      const known = words.find((word) => word === value);
      if (known !== undefined) {
        return known;
      }
      at.faultOfKind(value, words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`);
      return invalid;
    },
    schema: { enum: words },
  };
}
