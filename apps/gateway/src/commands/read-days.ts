import { CommandError } from './run-command.ts';

/** A number of days from the command line. */
export function readDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1) {
    throw new CommandError(`--days holds "${text}"; it takes a whole number from 1 to 9999`);
  }
  return days;
}
