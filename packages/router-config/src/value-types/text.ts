import { scalar } from './value-type.ts';
import type { ValueType } from './value-type.ts';

export interface TextOptions {
  /** The pattern that the text must match. */
  readonly pattern: RegExp;
  /** The same in words, as the end of the sentence "it takes …". */
  readonly takes: string;
  /** One such text, for editors and for checks without the values of variables; absent where `${env.NAME}` is one. */
  readonly example?: string;
}

/** A text that is not empty, of a form where one is given. */
export function text(
  { pattern, takes, example }: TextOptions = { pattern: /./s, takes: 'a text' },
): ValueType<string> {
  return scalar({
    takes,
    read: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
    schema: { type: 'string', ...(example !== undefined && { examples: [example] }) },
  });
}
