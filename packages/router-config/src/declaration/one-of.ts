import { oneOf as oneOfWords } from '@meridian/values';

import { scalar } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
  return scalar(oneOfWords(words));
}
