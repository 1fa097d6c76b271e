import { fileURLToPath } from 'node:url';
import connectKnex, { type Knex } from 'knex';

import { isDuplicate } from './duplicate.ts';
import { readMigrations, type SqlMigration } from './sql-migrations.ts';

/** What to migrate, and from where. */
export interface MigrateDatabaseOptions {
  /** `postgresql://…`, of the role that owns the tables. */
  readonly ownerUrl: string;
  /** The folder of the `.sql` files. */
  readonly directory: URL | string;
  /** The role that the migrations grant rights to. */
  readonly serviceRole: string;
  /** Called with the name of each migration before it runs. */
  readonly onMigration?: (name: string) => void;
}

/** The database and the migrations do not fit together. The message says which of them, and is meant for an operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Brings a database's schema up to date: runs the migrations that it has not had, in order, in one transaction. Two at
 * once run one after the other, and one that is killed leaves nothing behind; knex's own migrator keeps a lock in a row,
 * which then stays locked.
 *
 * @returns the names of the migrations that it ran
 * @throws MigrationError when the service's role is missing, when a migration fails, and when one that the database has
 *   had was changed or is gone.
 */
export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<string[]> {
  const { directory, onMigration = () => undefined } = options;
  const migrations = await readMigrations(directory instanceof URL ? fileURLToPath(directory) : directory);
  const database = connectKnex({ client: 'pg', connection: options.ownerUrl, pool: { min: 0, max: 1 } });
  try {
    await createHistory(database);
    return await database.transaction(async (transaction) => {
      await requireRole(transaction, options.serviceRole);
      const pending = pendingOf(migrations, await readHistory(transaction));
      for (const { name, sql, checksum } of pending) {
        onMigration(name);
        await runMigration(transaction, name, sql);
        await transaction('schema_migrations').insert({ name, checksum });
      }
      return pending.map(({ name }) => name);
    });
  } finally {
    await database.destroy();
  }
}

async function requireRole(transaction: Knex.Transaction, role: string): Promise<void> {
  const found: unknown = await transaction('pg_catalog.pg_roles').where({ rolname: role }).first('rolname');
  if (found === undefined) {
    throw new MigrationError(
      `There is no role ${role}, which the migrations grant rights to: create it first`,
    );
  }
}

/** The table of the migrations that the database has had. Another migrator that makes it at the same moment is fine. */
async function createHistory(database: Knex): Promise<void> {
  try {
    await database.raw(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default clock_timestamp()
      )`);
  } catch (error) {
    if (!isDuplicate(error)) {
      throw error;
    }
  }
}

/** Reads which migrations the database has had, and keeps other migrators out until the transaction ends. */
async function readHistory(transaction: Knex.Transaction): Promise<Map<string, string>> {
  await transaction.raw('lock table schema_migrations in exclusive mode');
  const rows: { name: string; checksum: string }[] = await transaction('schema_migrations').select(
    'name',
    'checksum',
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
    throw new MigrationError(
      `The database has had the migration ${unknown}, which is not here: this code is older than it`,
    );
  }
  const changed = migrations.find(
    ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
  );
  if (changed !== undefined) {
    throw new MigrationError(
      `The migration ${changed.name} was changed after the database had it: put the change into a new one`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function runMigration(transaction: Knex.Transaction, name: string, sql: string): Promise<void> {
  try {
    // To knex a question mark is a placeholder, to PostgreSQL an operator.
    await transaction.raw(sql.replaceAll('?', String.raw`\?`));
  } catch (error) {
    throw new MigrationError(
      `The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}
