import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { MigrationError } from './migration-error.ts';

/** One step of a database's schema. */
export interface SqlMigration {
  /** The file's name, such as `0001-accounts.sql`. */
  readonly name: string;
  /** With the files that it includes. */
  readonly sql: string;
  /** Proves that neither the file nor an included one has changed since it was applied. */
  readonly checksum: string;
}

const inclusion = /^\\ir (\S+)$/gmu;

const fileName = /^\d{4}-[a-z0-9-]+\.sql$/u;

/**
 * Reads the migrations of a directory, in order. A line `\ir <file>` of one includes a file, as in psql: SQL that several
 * databases have in common is written once.
 *
 * @throws {MigrationError} for a file whose name has no number, or the number of another file; an error of the system for
 * an included file that is missing
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
      const sql = await readSql(join(directory, name));
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function readSql(path: string): Promise<string> {
  const sql = await readFile(path, 'utf8');
  const included = await Promise.all(
    Array.from(sql.matchAll(inclusion), ([, file = '']) => readSql(join(dirname(path), file))),
  );
  return sql.replaceAll(inclusion, () => included.shift() ?? '');
}
