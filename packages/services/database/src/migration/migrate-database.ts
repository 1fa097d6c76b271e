import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { DatabaseError } from 'pg';
import type { Client } from 'pg';

import { isDuplicate } from '../errors/duplicate.ts';
import { MigrationError, MigrationHistoryError } from './migration-error.ts';
import { requireTenantsApart } from '../provision/require-tenants-apart.ts';
import { retryConflicts } from '../statement/retry-conflicts.ts';
import { sqlStatements } from './sql-statements.ts';
import { withClient } from '../with-client.ts';

/** The database and the migrations to run. */
export interface MigrateDatabaseOptions {
  /** `postgresql://…`, of the role that owns the tables. */
  readonly ownerUrl: string;
  /** The folder of the `.sql` files. */
  readonly directory: URL | string;
  /** The role that the migrations grant rights to: for them, the setting `meridian.service_role`. */
  readonly serviceRole: string;
  /** Called with the name of each migration before it runs. */
  readonly onMigration?: (name: string) => void;
  /** Called when another transaction holds a lock that a migration needs, before all are tried again. */
  readonly onLocked?: () => void;
}

/**
 * Brings a database's schema up to date: runs the missing migrations in order, in one transaction. Concurrent runs wait
 * for each other, and a killed run leaves nothing behind. (knex's own migrator keeps its lock in a row, which then
 * stays locked.) A run that does not get a lock of a table within a second lets others go first, and begins again.
 *
 * @returns the names of the migrations that it ran
 * @throws {MigrationError} when the service's role is missing, when a migration fails or leaves a table open to all
 * tenants; a {MigrationHistoryError} when an applied migration was changed or is missing.
 */
export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<string[]> {
  const { directory, serviceRole, onMigration = () => undefined, onLocked } = options;
  const migrations = await readMigrations(directory instanceof URL ? fileURLToPath(directory) : directory);
  return retryConflicts(
    () =>
      withClient(options.ownerUrl, async (client) => {
        await requireRole(client, serviceRole);
        await createHistory(client);
        await begin(client);
        await client.query(`select set_config('meridian.service_role', $1, true)`, [serviceRole]);
        const pending = pendingOf(migrations, await readHistory(client));
        // Statements that come after a waiting `alter table` wait too.
        await client.query(`set local lock_timeout = '1s'`);
        for (const migration of pending) {
          onMigration(migration.name);
          await runMigration(client, migration);
        }
        await requireTenantsApart(client);
        await client.query('commit');
        return pending.map(({ name }) => name);
      }),
    onLocked,
  );
}

async function requireRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query('select from pg_catalog.pg_roles where rolname = $1', [role]);
  if (rows.length === 0) {
    throw new MigrationError(
      `There is no role ${role}, which the migrations grant rights to: create it first`,
    );
  }
}

/**
 * Begins a transaction without an operator's own defaults, which are for services: an older snapshot would miss what
 * another migrator has just run, and a timeout would end the wait for it.
 */
async function begin(client: Client): Promise<void> {
  await client.query('begin isolation level read committed');
  await client.query(
    `select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`,
  );
}

/** Creates the table of applied migrations. Another migrator may create it at the same moment. */
async function createHistory(client: Client): Promise<void> {
  try {
    await begin(client);
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default clock_timestamp()
      )`);
    await client.query('commit');
  } catch (error) {
    if (!isDuplicate(error)) {
      throw error;
    }
    await client.query('rollback');
  }
}

/** Reads the applied migrations, and keeps other migrators out until the transaction ends. */
async function readHistory(client: Client): Promise<Map<string, string>> {
  await client.query('lock table schema_migrations in exclusive mode');
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function pendingOf(
  migrations: readonly SqlMigration[],
  applied: ReadonlyMap<string, string>,
): SqlMigration[] {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new MigrationHistoryError(
      `The database has had the migration ${unknown}, which this code does not have: it is older than the database, or a subgraph was made again under its name`,
    );
  }
  const changed = migrations.find(
    ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
  );
  if (changed !== undefined) {
    throw new MigrationHistoryError(
      `The migration ${changed.name} was changed after the database had it: put the change into a new one`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Statement by statement: on a distributed table, Citus sends the whole query on to the workers. */
async function runMigration(client: Client, { name, sql, checksum }: SqlMigration): Promise<void> {
  let start = 0;
  for (const statement of sqlStatements(sql)) {
    try {
      await client.query(statement);
    } catch (error) {
      if (error instanceof DatabaseError) {
        throw new MigrationError(
          `The migration ${name} failed${lineOf(sql, start, error)}: ${error.message}`,
          {
            cause: error,
          },
        );
      }
      throw error;
    }
    start += statement.length;
  }
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

/** PostgreSQL reports a character's position in a statement, and readers need the line. */
function lineOf(sql: string, start: number, { position }: DatabaseError): string {
  return position === undefined
    ? ''
    : ` at line ${sql.slice(0, start + Number(position)).split('\n').length}`;
}

/** One step of a database's schema. */
interface SqlMigration {
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
async function readMigrations(directory: string): Promise<SqlMigration[]> {
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
