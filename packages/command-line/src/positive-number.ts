import { UsageError } from './usage-error.ts';

/**
 * The number above 0 that a flag holds, with or without a fraction.
 *
 * @param flag with its dashes, for the message
 * @throws {UsageError} for anything else
 */
export function positiveNumber(flag: string, text: string): number {
  const number = /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (number === 0) {
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it takes a number above 0`);
  }
  return number;
}
