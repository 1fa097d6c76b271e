import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@meridian/database';
import type { Database } from '@meridian/database';
import { Client } from 'pg';

import { createTestDatabase } from '../src/index.ts';
import type { TestDatabase } from '../src/index.ts';

describe('createTestDatabase', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({
      migrations: new URL('migrations/', import.meta.url),
      serviceRole: 'meridian_test_notes',
    });
    database = connectDatabase({
      url: testDatabase.serviceUrl,
      applicationName: 'create-test-database',
      poolSize: 2,
      statementTimeoutMs: 5000,
      logger: { warn: () => undefined },
    });
  });

  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  it('gives a service a migrated database in which it sees only its tenant', async () => {
    await database.asTenant('acme', database.knex('notes').insert({ tenant_id: 'acme', id: 'n1' }));
    await expect(database.asTenant('acme', database.knex('notes').select('id'))).resolves.toEqual([
      { id: 'n1' },
    ]);
    await expect(database.asTenant('globex', database.knex('notes').select('id'))).resolves.toEqual([]);
  });

  it('gives a test the rows of all tenants', async () => {
    const client = new Client({ connectionString: testDatabase.adminUrl });
    await client.connect();
    await expect(client.query('select tenant_id from notes')).resolves.toMatchObject({
      rows: [{ tenant_id: 'acme' }],
    });
    await client.end();
  });
});
