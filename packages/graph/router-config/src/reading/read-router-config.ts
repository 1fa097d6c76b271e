import type { MissingVariable } from './expand-variables.ts';
import type { RouterConfigSources } from './inspect-config.ts';
import { inspectConfig } from './inspect-config.ts';
import { RouterConfigError } from './router-config-error.ts';
import type { IgnoredKeys } from '../keys/unknown-keys.ts';
import type { RouterConfig } from '../sections/router-file.ts';

export interface ReadRouterConfig {
  readonly config: RouterConfig;
  /** Suggestions for the author, though the file works: keys in deprecated places, rules without effect. */
  readonly notes: readonly string[];
  /** The keys of Apollo Router that are ignored. */
  readonly ignored: IgnoredKeys;
}

/**
 * Reads `router.yaml`.
 *
 * @throws {RouterConfigError} with every fault, not just the first
 */
export function readRouterConfig(sources: RouterConfigSources): ReadRouterConfig {
  const { config, keyFaults, ignored, faults, missing, notes } = inspectConfig(sources);
  const found = [...keyFaults, ...faults, ...missing.map(missingFault)];
  if (found.length > 0) {
    throw new RouterConfigError(
      found,
      sources.files.map(({ name }) => name),
    );
  }
  if (config === undefined) {
    throw new Error('an unknown value of router.yaml could not be read');
  }
  return { config, notes, ignored };
}

function missingFault({ at, reference }: MissingVariable): string {
  return reference.startsWith('env.')
    ? `${at.written}: needs the variable ${reference.slice('env.'.length)}, which is not set`
    : `${at.written}: cannot read the file ${reference.slice('file.'.length)}`;
}
