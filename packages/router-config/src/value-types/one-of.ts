import type { Kind } from './value-type.ts';
import { unreadable } from './value-type.ts';

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    read: (value, at) => {
      const known = words.find((word) => word === value);
      if (known !== undefined) {
        return known;
      }
      at.faultOfKind(value, words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`);
      return unreadable;
    },
    schema: { enum: words },
  };
}
