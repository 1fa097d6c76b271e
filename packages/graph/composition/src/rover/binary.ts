import { CommandError } from '@meridian/settings/command-line';

import { installedPackage } from './installed-package.ts';

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
