import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { migrateDatabase, MigrationError, provisionDatabase } from '../../src/index.ts';
import { databaseName, dropDatabase, testServerUrl } from '../notes-database.ts';

const serviceRole = 'meridian_notes';

describe('migrateDatabase', () => {
  let name: string;
  let directory: string;
  let ownerUrl: string;
  let admin: Client;

  beforeEach(async () => {
    name = databaseName();
    directory = await mkdtemp(join(tmpdir(), 'meridian-migrations-'));
    // An ordinary owner, as in production: a migration that only a superuser may run fails here.
    ({ ownerUrl } = await provisionDatabase({
      adminUrl: await testServerUrl(),
      database: name,
      serviceRole,
      servicePassword: 'service',
      owner: { role: 'meridian_test_owner', password: 'owner' },
    }));
    admin = new Client({ connectionString: ownerUrl });
    await admin.connect();
  });

  afterEach(async () => {
    await admin.end();
    await dropDatabase(await testServerUrl(), name);
    await rm(directory, { recursive: true });
  });

  async function write(migrations: Record<string, string>): Promise<void> {
    await Promise.all(Object.entries(migrations).map(([file, sql]) => writeFile(join(directory, file), sql)));
  }

  const migrate = (): Promise<string[]> => migrateDatabase({ ownerUrl, directory, serviceRole });

  async function tables(): Promise<string[]> {
    const { rows } = await admin.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    );
    return rows.map((row) => row.name);
  }

  it('runs the missing migrations in order, and reports each', async () => {
    await write({
      '0002-second.sql': 'alter table first add column more text',
      '0001-first.sql': 'create table first ()',
    });
    const seen: string[] = [];
    await expect(
      migrateDatabase({ ownerUrl, directory, serviceRole, onMigration: (migration) => seen.push(migration) }),
    ).resolves.toEqual(['0001-first.sql', '0002-second.sql']);
    expect(seen).toEqual(['0001-first.sql', '0002-second.sql']);

    await write({ '0003-third.sql': 'create table third ()' });
    await expect(migrate()).resolves.toEqual(['0003-third.sql']);
    await expect(migrate()).resolves.toEqual([]);
  });

  it('accepts a directory as a URL too', async () => {
    await expect(
      migrateDatabase({ ownerUrl, directory: new URL('../migrations/', import.meta.url), serviceRole }),
    ).resolves.toEqual(['0001-notes.sql']);
  });

  it('runs a file of several statements, question marks and dollar quotes included', async () => {
    await write({
      '0001-first.sql': `
        create table first (has_key boolean default '{"a": 1}'::jsonb ? 'a');
        create function one() returns int language plpgsql as $$ begin return 1; end $$;
        insert into first select where one() = 1;`,
    });
    await migrate();
    await expect(admin.query('select has_key from first')).resolves.toMatchObject({
      rows: [{ has_key: true }],
    });
  });

  it('takes the file that a migration includes for a part of it, and grants rights to the role that it is run for', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'meridian-shared-'));
    const included = join(shared, 'shared.sql');
    await writeFile(
      included,
      `create table shared ();
       do $$ begin execute format('grant select on shared to %I', current_setting('meridian.service_role')); end $$;`,
    );
    await write({ '0001-first.sql': `create table first ();\n\\ir ${relative(directory, included)}\n` });
    await migrate();
    expect(await tables()).toEqual(['first', 'schema_migrations', 'shared']);
    await expect(
      admin.query(`select has_table_privilege('${serviceRole}', 'shared', 'select') as granted`),
    ).resolves.toMatchObject({ rows: [{ granted: true }] });

    await writeFile(included, 'create table shared (more text)');
    await expect(migrate()).rejects.toThrow(
      'The migration 0001-first.sql was changed after the database had it',
    );
    await rm(shared, { recursive: true });
    await expect(migrate()).rejects.toThrow('ENOENT');
  });

  it('runs each migration once when two processes start at the same time, whatever the defaults are', async () => {
    await admin.query(`
      alter database ${name} set default_transaction_isolation = 'repeatable read';
      alter database ${name} set statement_timeout = 400;
      alter database ${name} set lock_timeout = 400;`);
    await write({ '0001-first.sql': 'create table first (); select pg_sleep(0.6)' });
    const ran = await Promise.all([migrate(), migrate(), migrate()]);
    expect(ran.flat()).toEqual(['0001-first.sql']);
  });

  it('lets others use a table while it waits for a lock, and begins again', async () => {
    await write({ '0001-first.sql': 'create table first ()' });
    await migrate();
    await write({ '0002-second.sql': 'alter table first add column more text' });
    await admin.query('begin; lock table first in access share mode');
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>();
    const migrating = migrateDatabase({ ownerUrl, directory, serviceRole, onLocked });
    await locked;
    await expect(admin.query('lock table first in share mode nowait; commit')).resolves.toBeDefined();
    await expect(migrating).resolves.toEqual(['0002-second.sql']);
  });

  it('names the file and the line of a failure, and leaves nothing of any file behind', async () => {
    await write({
      '0001-first.sql': 'create table first ();',
      '0002-second.sql': 'create table second ();\n\ncreate tabel third ();\n',
    });
    await expect(migrate()).rejects.toThrow(
      'The migration 0002-second.sql failed at line 3: syntax error at or near "tabel"',
    );
    await expect(tables()).resolves.toEqual(['schema_migrations']);
  });

  it('refuses a file that was changed after it ran', async () => {
    await write({ '0001-first.sql': 'create table first ()' });
    await migrate();
    await write({ '0001-first.sql': 'create table first (more text)' });
    await expect(migrate()).rejects.toThrow(
      new MigrationError(
        'The migration 0001-first.sql was changed after the database had it: put the change into a new one',
      ),
    );
  });

  it('refuses a database with migrations that it does not have', async () => {
    await write({ '0001-first.sql': '', '0002-second.sql': '' });
    await migrate();
    await rm(join(directory, '0002-second.sql'));
    await expect(migrate()).rejects.toThrow(
      '0002-second.sql, which this code does not have: it is older than the database, or a subgraph was made again under its name',
    );
  });

  it.each(['first.sql', '1-first.sql', '0001_first.sql', '0001-first.txt'])(
    'refuses %s in the folder, which has no number',
    async (file) => {
      await write({ [file]: '' });
      await expect(migrate()).rejects.toThrow('its name must be like 0001-accounts.sql');
    },
  );

  it('refuses two files with the same number', async () => {
    await write({ '0001-first.sql': '', '0001-second.sql': '' });
    await expect(migrate()).rejects.toThrow('0001-first.sql and 0001-second.sql');
  });

  it('refuses to start without the role that it grants rights to', async () => {
    await write({ '0001-first.sql': 'create table first ()' });
    await expect(migrateDatabase({ ownerUrl, directory, serviceRole: 'meridian_nobody' })).rejects.toThrow(
      new MigrationError(
        'There is no role meridian_nobody, which the migrations grant rights to: create it first',
      ),
    );
    await expect(tables()).resolves.toEqual([]);
  });

  it.each([
    ['has no row-level security', 'create table open (tenant_id text primary key)'],
    [
      'does not force row-level security on its owner',
      'create table open (tenant_id text primary key); alter table open enable row level security',
    ],
    [
      'has a primary key that does not start with the tenant',
      `create table open (id text, tenant_id text, primary key (id, tenant_id));
       alter table open enable row level security; alter table open force row level security`,
    ],
    [
      'has no primary key',
      `create table open (tenant_id text);
       alter table open enable row level security; alter table open force row level security`,
    ],
  ])('refuses a table with a tenant_id that %s', async (_, sql) => {
    await write({ '0001-open.sql': sql });
    await expect(migrate()).rejects.toThrow('These tables do not keep tenants apart: open. ');
    await expect(tables()).resolves.toEqual(['schema_migrations']);
  });
});
