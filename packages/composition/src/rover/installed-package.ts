import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { isRecord } from '@meridian/values';

export interface InstalledPackage {
  readonly version: string;
  /**
   * Resolves what the package itself can resolve: its files and its own dependencies.
   *
   * @throws {Error} `MODULE_NOT_FOUND`
   */
  readonly resolve: (specifier: string) => string;
}

/**
 * Looks up one of this package's dependencies where it is installed.
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
