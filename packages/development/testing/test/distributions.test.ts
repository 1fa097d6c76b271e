import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDistribution } from '@meridian/database';
import type { Distribution } from '@meridian/database';
import { Client } from 'pg';

import { createTestDatabase } from '../src/index.ts';
import type { TestDatabase } from '../src/index.ts';

const apps = fileURLToPath(new URL('../../../../apps/', import.meta.url));
/** The gateway's usage records are of no tenant. */
const undistributed = new Set(['gateway']);

/** Which tenant has webhooks that are due, and when. Processes look through all tenants; it has none of their data. */
const crossTenantTable = 'webhook_queue';

describe('The distribution of', () => {
  it('every app with migrations, but the gateway, is declared', () => {
    const migrated = globSync('*/migrations', { cwd: apps }).map((folder) => dirname(folder));
    const declared = migrated.filter((app) => existsSync(`${apps}${app}/distribution.json`));
    expect(declared.toSorted()).toEqual(migrated.filter((app) => !undistributed.has(app)).toSorted());
  });

  describe.each(globSync('*/distribution.json', { cwd: apps }).map((file) => dirname(file)))('%s', (app) => {
    let database: TestDatabase;
    let client: Client;
    let distribution: Distribution;
    beforeAll(async () => {
      const folder = pathToFileURL(`${apps}${app}/`);
      database = await createTestDatabase({
        migrations: new URL('migrations/', folder),
        serviceRole: `meridian_${app}`,
      });
      client = new Client({ connectionString: database.adminUrl });
      await client.connect();
      distribution = (await readDistribution(new URL('distribution.json', folder)))!;
    });
    afterAll(async () => {
      await client.end();
      await database.drop();
    });

    const tablesOfTenants = (): string[] =>
      Object.keys(distribution.tables).filter((table) => table !== crossTenantTable);

    const namesOf = async (sql: string, values: readonly unknown[] = []): Promise<string[]> => {
      const { rows } = await client.query<{ name: string }>(sql, [...values]);
      return rows.map(({ name }) => name);
    };

    it('names every table, and those with a tenant by their tenant', async () => {
      const tables = await namesOf(
        `select c.relname as name from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and c.relname <> 'schema_migrations'`,
      );
      expect(tables.toSorted()).toEqual(
        [...distribution.referenceTables, ...Object.keys(distribution.tables)].toSorted(),
      );
      const withTenant = await namesOf(
        `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
      );
      expect(withTenant.toSorted()).toEqual(tablesOfTenants().toSorted());
      expect(new Set(tablesOfTenants().map((table) => distribution.tables[table]))).toEqual(
        new Set(['tenant_id']),
      );
    });

    it('has every key and unique index begin with the tenant', async () => {
      const others = await namesOf(
        `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
         where c.relnamespace = 'public'::regnamespace and c.relname = any ($1) and (i.indisunique or i.indisexclusion)
           and (select attname from pg_attribute where attrelid = c.oid and attnum = i.indkey[0]) is distinct from 'tenant_id'`,
        [tablesOfTenants()],
      );
      expect(others).toEqual([]);
    });

    it('has every foreign key begin with the tenant on both sides, or name a reference table, and change no row by itself', async () => {
      const others = await namesOf(
        `select k.conname as name from pg_constraint k
         join pg_class c on c.oid = k.conrelid join pg_class target on target.oid = k.confrelid
         where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and target.relname <> all ($1)
           and not (
             (select attname from pg_attribute where attrelid = k.conrelid and attnum = k.conkey[1]) = 'tenant_id'
             and (select attname from pg_attribute where attrelid = k.confrelid and attnum = k.confkey[1]) = 'tenant_id'
             and k.confdeltype not in ('n', 'd') and k.confupdtype = 'a'
           )`,
        [distribution.referenceTables],
      );
      expect(others).toEqual([]);
    });

    it('has one policy for each table, which compares its tenant for reads and writes alike', async () => {
      const policies = await namesOf(
        `select format('%s %s %s', c.relname, pg_get_expr(p.polqual, c.oid), p.polwithcheck is null and p.polcmd = '*') as name
         from pg_policy p join pg_class c on c.oid = p.polrelid`,
      );
      expect(policies.toSorted()).toEqual(
        tablesOfTenants()
          .map(
            (table) =>
              `${table} (tenant_id = NULLIF(current_setting('meridian.tenant_id'::text, true), ''::text)) t`,
          )
          .toSorted(),
      );
    });

    it('has no trigger, and no identity column but a bigint', async () => {
      expect(await namesOf('select tgname as name from pg_trigger where not tgisinternal')).toEqual([]);
      expect(
        await namesOf(
          `select attname as name from pg_attribute where attidentity <> '' and atttypid <> 'bigint'::regtype`,
        ),
      ).toEqual([]);
    });

    it('names every function that takes a tenant, which is its first argument', async () => {
      const takingTenant = await namesOf(
        `select p.proname as name from pg_proc p
         where p.pronamespace = 'public'::regnamespace and 'p_tenant_id' = any (p.proargnames)`,
      );
      expect(takingTenant.toSorted()).toEqual(Object.keys(distribution.functions).toSorted());
      const first = await namesOf(
        `select p.proname as name from pg_proc p
         where p.pronamespace = 'public'::regnamespace and p.proargnames[1] = 'p_tenant_id'`,
      );
      expect(first.toSorted()).toEqual(Object.keys(distribution.functions).toSorted());
      expect(Object.values(distribution.functions).filter((argument) => argument !== 'p_tenant_id')).toEqual(
        [],
      );
    });
  });
});
