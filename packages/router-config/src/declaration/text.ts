import { scalar } from './value-type.ts';
import type { ValueType } from './value-type.ts';

export interface TextOptions {
  /** The pattern that the text must match. */
  readonly pattern: RegExp;
  /** The pattern in words, as the end of the sentence "it takes …". */
  readonly takes: string;
  /** An example, for editors and for checks without the values of variables; absent if `${env.NAME}` matches. */
  readonly example?: string;
}

/** A text that is not empty and matches the pattern, if any. */
export function text(
  { pattern, takes, example }: TextOptions = { pattern: /./s, takes: 'a text' },
): ValueType<string> {
  return scalar({
    takes,
    read: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
    schema: { type: 'string', ...(example !== undefined && { examples: [example] }) },
  });
}
