import { afterAll, describe, expect, it } from '@jest/globals';
import { dropDatabase } from '@meridian/database';
import { databaseOf } from '@meridian/database/database-of';
import { testServer } from '@meridian/postgres/test-server';
import { Client } from 'pg';

import { prepareDatabase } from '../../src/prepare/prepare-database.ts';

const service = 'users';

describe('prepareDatabase', () => {
  const prepare = async (isReset: boolean) =>
    prepareDatabase({
      service,
      adminUrl: (await testServer()).url,
      // Of the role, which other suites use too.
      password: 'service',
      isReset,
      isOtherServer: false,
      onStep: () => undefined,
    });

  async function migrationsOf(url: string, sql: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  afterAll(async () => dropDatabase((await testServer()).url, databaseOf(service)));

  it('advises to reset the data of one service when the database has had other migrations, and resets it', async () => {
    const { ownerUrl } = await prepare(false);
    await migrationsOf(ownerUrl, `insert into schema_migrations values ('0099-of-a-branch.sql', 'none')`);

    await expect(prepare(false)).rejects.toMatchObject({
      name: 'StackError',
      message: expect.stringMatching(
        /0099-of-a-branch\.sql.*start over with its data: pnpm start --reset users$/u,
      ),
    });

    await prepare(true);
    const names = await migrationsOf(ownerUrl, `select from schema_migrations where name like '0099%'`);
    expect(names).toEqual([]);
  });
});
