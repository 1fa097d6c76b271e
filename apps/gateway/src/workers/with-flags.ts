import { readArgs } from '@meridian/command-line';

import type { Environment } from '../config/gateway-environment.ts';

/**
 * The environment with what the command line says of it: `--workers N` is `WEB_CONCURRENCY=N`.
 *
 * @throws {UsageError} for a flag that there is not
 */
export function withFlags(env: Environment, args: readonly string[]): Environment {
  const { workers } = readArgs(args, { workers: { type: 'string' } }).flags;
  return workers === undefined ? env : { ...env, WEB_CONCURRENCY: workers };
}
