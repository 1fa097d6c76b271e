import { readWords } from '@meridian/command-line';

/** Environment variables by name, as far as they are set. */
export type GatewayEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with what the command line says of it: `--workers N` is `WEB_CONCURRENCY=N`.
 *
 * @throws {CallError} for a flag that there is not
 */
export function withFlags(env: GatewayEnvironment, words: readonly string[]): GatewayEnvironment {
  const { workers } = readWords(words, { workers: { type: 'string' } }).flags;
  return workers === undefined ? env : { ...env, WEB_CONCURRENCY: workers };
}
