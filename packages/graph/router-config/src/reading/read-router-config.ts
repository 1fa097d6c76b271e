import type { MissingVariable } from './expand-variables.ts';
import type { InspectedConfig, RouterConfigSources } from './inspect-config.ts';
import { inspectConfig } from './inspect-config.ts';
import type { RouterConfig } from '../sections/router-file.ts';

export interface ReadRouterConfig extends Pick<InspectedConfig, 'notes' | 'ignored'> {
  readonly config: RouterConfig;
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

/** An invalid configuration. The message has one line for each fault, which names the files. */
export class RouterConfigError extends Error {
  override readonly name = 'RouterConfigError';
  /** One sentence for each fault, starting with the path of the key. Never shows a value, which may be a secret. */
  readonly faults: readonly string[];

  /** `files`: the names of the configuration and its overlay, as the operator gave them. */
  constructor(faults: readonly string[], files: readonly string[] = []) {
    super(faults.map((fault) => withFiles(fault, files)).join('\n'));
    this.faults = faults;
  }
}

/** A fault of a whole file names it already. */
function withFiles(fault: string, files: readonly string[]): string {
  const isNamed = files.length === 0 || files.some((file) => fault.startsWith(`${file}: `));
  return isNamed ? fault : `${files.join(' with ')}: ${fault}`;
}
