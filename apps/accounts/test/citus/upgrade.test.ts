// A cluster gets new migrations: those that change what is distributed already, and the distribution of what is new.
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from '@jest/globals';
import {
  distributeDatabase,
  migrateDatabase,
  provisionCitusDatabase,
  readDistribution,
} from '@meridian/database';
import { citusVariable, findCitus, startCitus } from '@meridian/postgres/citus';
import { Client } from 'pg';

const app = fileURLToPath(new URL('../../', import.meta.url));
const serviceRole = 'meridian_accounts';

it('A cluster with the ledger of migration 0008 goes on with all migrations, and unread events are still there', async () => {
  const programs = await findCitus(process.env[citusVariable]);
  if (programs === undefined) {
    throw new Error('There is no PostgreSQL with Citus on this machine');
  }
  const cluster = await startCitus({
    programs,
    dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-citus-')),
    workers: 2,
    settings: { fsync: 'off' },
    isThrowaway: true,
  });
  const directory = await mkdtemp(join(tmpdir(), 'meridian-migrations-'));
  try {
    const { ownerUrl, serviceUrl } = await provisionCitusDatabase({
      coordinatorUrl: cluster.coordinator.url,
      workerUrls: cluster.workers.map(({ url }) => url),
      database: serviceRole,
      serviceRole,
      servicePassword: 'service',
    });
    for (const file of (await readdir(join(app, 'migrations'))).filter((name) => name < '0009')) {
      await cp(join(app, 'migrations', file), join(directory, file));
    }
    await migrateDatabase({ ownerUrl, directory, serviceRole });
    const distribution = await readDistribution(join(app, 'distribution.json'));
    if (distribution === undefined) {
      throw new Error('accounts has no distribution');
    }
    const sql = await Promise.all(
      (await readdir(directory)).map((file) => readFile(join(directory, file), 'utf8')),
    );
    /** The part of the distribution that the migrations so far have made. */
    const made = (kind: 'table' | 'function', names: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(names).filter(([name]) =>
          sql.some((text) => new RegExp(`create ${kind} ${name}\\b`, 'u').test(text)),
        ),
      );
    await distributeDatabase({
      ownerUrl,
      distribution: {
        ...distribution,
        tables: made('table', distribution.tables),
        functions: { ...made('function', distribution.functions), next_entry_at: 'p_tenant_id' },
      },
      serviceRole,
      shardCount: 4,
    });
    const service = new Client(serviceUrl);
    await service.connect();
    const write = async (balance: number) => {
      const { rows } = await service.query<{ revision: string }>(
        `select * from find_account('acme', 'rent')`,
      );
      await service.query(`select * from swap_account('acme', 'rent', $1, $2)`, [rows[0]?.revision, balance]);
    };
    await service.query(`select * from create_account('acme', 'rent', 100)`);
    await write(150);

    await migrateDatabase({ ownerUrl, directory: join(app, 'migrations'), serviceRole });
    await distributeDatabase({ ownerUrl, distribution, serviceRole, shardCount: 4 });
    await write(170);

    const { rows: events } = await service.query<{ data: string | null }>(
      `select * from list_events('acme', 0, 0, 10, null, null)`,
    );
    // The last row is the place to go on from.
    expect(events.map(({ data }) => data?.replaceAll(/\D/gu, ''))).toEqual(['100', '150', '170', undefined]);
    const { rows: entries } = await service.query<{ amount_minor_units: string }>(
      `select * from list_entries('acme', 'rent', null, null, 10)`,
    );
    expect(entries.map((entry) => entry.amount_minor_units)).toEqual(['20', '50', '100']);
    await service.end();
  } finally {
    await cluster.stop();
    await rm(directory, { recursive: true });
  }
});
