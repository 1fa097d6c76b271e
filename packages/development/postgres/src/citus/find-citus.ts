import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

import type { PostgresBinaries } from '../binaries.ts';
import { runProgram } from '../run-program.ts';

/** The variable that names the folder of a PostgreSQL's programs (`postgres`, `initdb`) with Citus installed. */
export const citusVariable = 'CITUS_BIN';

/**
 * The program folders of PostgreSQL's and Citus's packages and images: Debian's and PGDG's, Red Hat's, and a build's
 * own.
 */
const usualFolders = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/pgsql/bin',
  '/usr/local/bin',
];

/**
 * Finds a PostgreSQL with Citus on this machine: in `folder`, or, without one, where packages install it.
 *
 * @returns undefined where there is none
 */
export async function findCitus(folder: string | undefined): Promise<PostgresBinaries | undefined> {
  const folders = folder === undefined ? globSync(usualFolders).toSorted().toReversed() : [folder];
  for (const bin of folders) {
    const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
    if (existsSync(programs.postgres) && existsSync(join(await libraryFolder(bin), 'citus.so'))) {
      return programs;
    }
  }
  return undefined;
}

/** The folder that `pg_config` names; without it, as with Debian's server package, the one beside the programs. */
async function libraryFolder(bin: string): Promise<string> {
  const { succeeded, output } = await runProgram({
    program: join(bin, 'pg_config'),
    arguments: ['--pkglibdir'],
    account: {},
  });
  return succeeded ? output : join(bin, '..', 'lib');
}
