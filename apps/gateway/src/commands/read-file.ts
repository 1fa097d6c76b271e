import { readFileSync } from 'node:fs';

import { CommandError, UsageError } from '@meridian/settings/command-line';
import type { Supergraph } from '@meridian/executor';
import { loadSupergraph } from '@meridian/executor';

/**
 * Reads a file that an argument names.
 *
 * @throws {UsageError} where it cannot be read
 */
export function readFile(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new UsageError(`${name} is not there or not readable`, { cause: error });
  }
}

/**
 * Reads a supergraph that a flag names.
 *
 * @throws {CommandError} where the file cannot be read
 */
export function readSupergraph(path: string): Supergraph {
  let sdl: string;
  try {
    sdl = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: it is not there or not readable`, { cause: error });
  }
  return loadSupergraph(sdl);
}
