import { readWords } from '@meridian/command-line';

import type { Environment } from '../config/gateway-environment.ts';

/**
 * The environment with what the command line says of it: `--workers N` is `WEB_CONCURRENCY=N`.
 *
 * @throws {CallError} for a flag that there is not
 */
export function withFlags(env: Environment, words: readonly string[]): Environment {
  const { workers } = readWords(words, { workers: { type: 'string' } }).flags;
  return workers === undefined ? env : { ...env, WEB_CONCURRENCY: workers };
}
