import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { isRecord } from '@meridian/settings/values';

export interface InstalledPackage {
  readonly version: string;
  /**
   * Resolves a file or a dependency of the package.
   *
   * @throws {Error} `MODULE_NOT_FOUND`
   */
  readonly resolve: (specifier: string) => string;
}

/**
 * Finds an installed dependency of this package.
 *
 * @throws {TypeError} when its manifest has no version
 */
export function installedPackage(name: '@apollo/rover' | '@apollo/composition'): InstalledPackage {
  const manifestFile = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const manifest: unknown = JSON.parse(readFileSync(manifestFile, 'utf8'));
  if (!isRecord(manifest) || typeof manifest['version'] !== 'string') {
    throw new TypeError(`Cannot read ${manifestFile}: it has no version`);
  }
  return { version: manifest['version'], resolve: createRequire(manifestFile).resolve };
}
