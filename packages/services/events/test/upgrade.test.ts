// A rolling update: the database gets its log while processes of the version before are still running.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect, it } from '@jest/globals';
import { migrateDatabase } from '@meridian/database';
import { createTestDatabase } from '@meridian/testing';
import { Client } from 'pg';

const id = '01900000-0000-7000-8000-000000000000';

/** The writes of the version before, as their processes send them; those that its functions make are logged. */
const writes = {
  orders: {
    before: '0005',
    sql: [
      `select add_orders('acme', ('[{"id":"' || gen_random_uuid() || '","lineItems":[]}]')::jsonb)`,
      `update orders set status = 'paid', revision = revision + 1 where tenant_id = 'acme'`,
    ],
    logged: ['order.placed'],
  },
  products: {
    before: '0003',
    sql: [
      `insert into products (tenant_id, id, name, price_minor_units) values ('acme', '${id}', 'lamp', 1) on conflict do nothing`,
      `update products set price_minor_units = price_minor_units + 1 where tenant_id = 'acme'`,
    ],
    logged: [],
  },
  reviews: {
    before: '0003',
    sql: [
      `select add_reviews('acme', ('[{"id":"' || gen_random_uuid() || '","productId":"${id}","authorId":"${id}","rating":5,"body":"good"}]')::jsonb)`,
    ],
    logged: ['review.added'],
  },
};

it.each(Object.entries(writes))(
  'The writes of %s of the version before work before and after the log is there',
  async (app, { before, sql, logged }) => {
    const migrations = fileURLToPath(new URL(`../../../../apps/${app}/migrations/`, import.meta.url));
    const serviceRole = `meridian_${app}`;
    const earlier = await mkdtemp(join(tmpdir(), 'meridian-migrations-'));
    for (const file of (await readdir(migrations)).filter((name) => name < before)) {
      await cp(join(migrations, file), join(earlier, file));
    }
    const store = await createTestDatabase({ migrations: pathToFileURL(`${earlier}/`), serviceRole });
    await rm(earlier, { recursive: true });
    const client = new Client(store.serviceUrl);
    await client.connect();
    const writeAsBefore = async () => {
      await client.query('begin');
      await client.query(`set local meridian.tenant_id = 'acme'`);
      for (const statement of sql) {
        expect((await client.query(statement)).rowCount).toBeGreaterThanOrEqual(0);
      }
      await client.query('commit');
    };
    await writeAsBefore();
    await migrateDatabase({ ownerUrl: store.ownerUrl, directory: migrations, serviceRole });
    await writeAsBefore();
    const { rows } = await client.query<{ type: string }>(
      `select type from list_events('acme', 0, 0, 10, null, null) where id is not null`,
    );
    expect(rows.map(({ type }) => type)).toEqual(logged);
    await client.end();
    await store.drop();
  },
);
