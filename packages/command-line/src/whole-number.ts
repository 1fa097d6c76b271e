import { UsageError } from './usage-error.ts';

export interface Bounds {
  /** Default: 1. */
  readonly min?: number;
  readonly max?: number;
}

/**
 * The number that a flag holds, in decimal digits.
 *
 * @param flag with its dashes, for the message
 * @throws {UsageError} for anything else, and for one out of its bounds
 */
export function wholeNumber(
  flag: string,
  text: string,
  { min = 1, max = Number.MAX_SAFE_INTEGER }: Bounds = {},
): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it takes a whole number ${range}`);
  }
  return number;
}
