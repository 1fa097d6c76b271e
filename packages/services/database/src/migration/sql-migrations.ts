import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MigrationError } from './migration-error.ts';

/** One step of a database's schema. */
export interface SqlMigration {
  /** The file's name, such as `0001-accounts.sql`. */
  readonly name: string;
  readonly sql: string;
  /** Proves that the file has not changed since it was applied. */
  readonly checksum: string;
}

const fileName = /^\d{4}-[a-z0-9-]+\.sql$/u;

/**
 * Reads the migrations of a directory, in order.
 *
 * @throws {MigrationError} for a file whose name has no number, or the number of another file
 */
export async function readMigrations(directory: string): Promise<SqlMigration[]> {
  const names = (await readdir(directory)).toSorted();
  for (const [index, name] of names.entries()) {
    if (!fileName.test(name)) {
      throw new MigrationError(
        `Cannot take ${join(directory, name)} for a migration: its name must be like 0001-accounts.sql`,
      );
    }
    if (name.slice(0, 4) === names[index - 1]?.slice(0, 4)) {
      throw new MigrationError(
        `Cannot order the migrations ${names[index - 1]} and ${name} of ${directory}: same number`,
      );
    }
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
