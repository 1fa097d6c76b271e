import { readFileSync } from 'node:fs';

import { CommandError } from '@meridian/settings/command-line';

/**
 * Reads a file that a flag names.
 *
 * @throws {CommandError} when it cannot be read
 */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`Cannot read ${file}: ${reason}`, { cause: error });
  }
}
