import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';

export interface RoverBinary {
  readonly path: string;
  readonly version: string;
}

/**
 * Finds the Rover binary in the npm package `@apollo/rover` for this platform.
 *
 * @throws {CommandError} when there is none
 */
export function findRoverBinary(): RoverBinary {
  const { version, resolve } = installedPackage('@apollo/rover');
  const platform = `${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'rover.exe' : 'rover';
  // One package for each platform; pnpm installs the one that fits, for either C library.
  for (const name of [platform, `${platform}-musl`]) {
    try {
      return { path: resolve(`@apollo/rover-${name}/${file}`), version };
    } catch {
      // Not installed; the next one may be.
    }
  }
  throw new CommandError(
    `Cannot find Rover: @apollo/rover ${version} has no binary for ${platform}. Install again, with optional dependencies.`,
  );
}

interface InstalledPackage {
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
