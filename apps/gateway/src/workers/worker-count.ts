import { parseArgs } from 'node:util';

import { EnvironmentError } from '@meridian/config';

/**
 * The environment with what the command line says of it: `--workers N` is `WEB_CONCURRENCY=N`.
 *
 * @throws {EnvironmentError} for an argument that there is not
 */
export function withArguments(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): Readonly<Record<string, string | undefined>> {
  try {
    const { workers } = parseArgs({ args: [...argv], options: { workers: { type: 'string' } } }).values;
    return workers === undefined ? env : { ...env, WEB_CONCURRENCY: workers };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new EnvironmentError([`${fault}: see pnpm gateway --help`]);
  }
}
