// A rolling update: the database gets new migrations while processes of the version before are still running.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '@meridian/database';
import { createTestDatabase } from '@meridian/testing';
import type { TestDatabase } from '@meridian/testing';
import { Client } from 'pg';

const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));
const serviceRole = 'meridian_accounts';

describe('The migrations of the ledger', () => {
  let store: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'meridian-migrations-'));
    const copyUntil = async (end: string): Promise<void> => {
      for (const file of (await readdir(migrations)).filter((name) => name < end)) {
        await cp(join(migrations, file), join(directory, file));
      }
    };
    await copyUntil('0006');
    store = await createTestDatabase({ migrations: pathToFileURL(`${directory}/`), serviceRole });
    client = new Client(store.serviceUrl);
    await client.connect();
    await useAsBefore();
    // The version in which events were first written, and accounts had no time of their last entry.
    await copyUntil('0009');
    await migrateDatabase({ ownerUrl: store.ownerUrl, directory, serviceRole });
    await useAsBefore();
    await migrateDatabase({ ownerUrl: store.ownerUrl, directory: migrations, serviceRole });
    await useAsBefore();
    await rm(directory, { recursive: true });
  });
  afterAll(async () => {
    await client.end();
    await store.drop();
  });

  /** The calls of the version before: two accounts (once), a write and a transfer. */
  async function useAsBefore(): Promise<void> {
    await client.query(`select * from create_account('acme', 'rent', 100)`);
    await client.query(`select * from create_account('acme', 'savings', 100)`);
    const { rows } = await client.query<{ revision: string }>(`select * from find_account('acme', 'rent')`);
    await client.query(`select * from swap_account('acme', 'rent', $1, 150)`, [rows[0]?.revision]);
    await client.query(
      `select * from create_transfer('acme', gen_random_uuid(), 'rent', 'savings', 10, 'x')`,
    );
    await client.query(`select * from list_accounts('acme', null, null, 10)`);
    await client.query(`select * from list_transfers('acme', 'rent', null, null, 10)`);
  }

  it('leave the calls of the version before working, and give old entries their balances', async () => {
    const { rows } = await client.query<{ amount: string; balance: string; is_first: boolean }>(
      `select amount_minor_units::text as amount, balance_minor_units::text as balance, is_first
       from list_entries('acme', 'rent', null, null, 10)`,
    );
    expect(rows.map(({ amount, balance }) => `${amount} → ${balance}`)).toEqual([
      '-10 → 140',
      '10 → 150',
      '-10 → 140',
      '10 → 150',
      '-10 → 140',
      '50 → 150',
      '100 → 100',
    ]);
    expect(rows.map((row) => row.is_first)).toEqual([false, false, false, false, false, false, true]);
  });

  it('log the changes that come after them, in their order', async () => {
    const { rows } = await client.query<{ type: string | null }>(
      `select type from list_events('acme', 0, 0, 10, null, null) where id is not null`,
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'account.updated',
      'transfer.completed',
      'account.updated',
      'transfer.completed',
    ]);
  });
});
