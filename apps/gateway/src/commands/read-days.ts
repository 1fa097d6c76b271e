import { wholeNumber } from '@meridian/command-line';

/** A number of days from the command line. Throws a `UsageError` for what is none. */
export function readDays(text: string): number {
  return wholeNumber('--days', text, { max: 9999 });
}
