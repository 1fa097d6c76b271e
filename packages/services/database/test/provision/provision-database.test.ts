import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { provisionDatabase } from '../../src/index.ts';
import type { ProvisionedDatabase } from '../../src/index.ts';
import { databaseName, dropDatabase, testServerUrl } from '../notes-database.ts';

describe('provisionDatabase', () => {
  let name: string;

  beforeEach(() => {
    name = databaseName();
  });

  afterEach(async () => dropDatabase(await testServerUrl(), name));

  async function provision(servicePassword = 'service', database = name): Promise<ProvisionedDatabase> {
    return provisionDatabase({
      adminUrl: await testServerUrl(),
      database,
      serviceRole: 'meridian_provisioned',
      servicePassword,
    });
  }

  it('makes a role that row-level security binds, and that cannot create anything', async () => {
    const { serviceUrl } = await provision();
    await expect(
      firstRow(serviceUrl, 'select * from pg_roles where rolname = current_user'),
    ).resolves.toMatchObject({
      rolname: 'meridian_provisioned',
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
    });
    await expect(firstRow(serviceUrl, 'create table mine ()')).rejects.toMatchObject({ code: '42501' });
    await expect(firstRow(serviceUrl, 'create temporary table mine ()')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it("keeps one service's role out of another service's database", async () => {
    const { serviceUrl } = await provision();
    const other = databaseName();
    await provisionDatabase({
      adminUrl: await testServerUrl(),
      database: other,
      serviceRole: 'meridian_notes',
      servicePassword: 'service',
    });
    const intrusion = new URL(serviceUrl);
    intrusion.pathname = `/${other}`;
    await expect(firstRow(intrusion.href, 'select 1')).rejects.toMatchObject({ code: '42501' });
    await dropDatabase(await testServerUrl(), other);
  });

  it('runs again on an existing database, with the password of the last time', async () => {
    const before = await provision('old');
    const after = await provision("new: it's/a@b%20c");
    await expect(firstRow(after.serviceUrl, 'select 1 as one')).resolves.toEqual({ one: 1 });
    await expect(firstRow(before.serviceUrl, 'select 1 as one')).rejects.toMatchObject({ code: '28P01' });
  });

  it('runs for several stacks at the same time', async () => {
    const provisioned = await Promise.all(Array.from({ length: 6 }, () => provision()));
    await expect(firstRow(provisioned[0]?.serviceUrl, 'select 1 as one')).resolves.toEqual({ one: 1 });
  });

  it('makes an ordinary owner on request', async () => {
    const { ownerUrl } = await provisionDatabase({
      adminUrl: await testServerUrl(),
      database: name,
      serviceRole: 'meridian_provisioned',
      servicePassword: 'service',
      owner: { role: 'meridian_test_owner', password: 'owner' },
    });
    await firstRow(ownerUrl, 'create table mine ()');
    await expect(
      firstRow(ownerUrl, 'select rolsuper from pg_roles where rolname = current_user'),
    ).resolves.toEqual({ rolsuper: false });
  });
});

async function firstRow(url: string | undefined, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<object>(sql);
    return rows[0];
  } finally {
    await client.end();
  }
}
