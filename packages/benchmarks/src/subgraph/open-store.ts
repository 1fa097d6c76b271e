import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';

import { migrateDatabase, provisionDatabase } from '@meridian/database';
import { startPostgres } from '@meridian/postgres';
import { Client } from 'pg';

/** A PostgreSQL of this run's own, with the demo products. */
export interface Store {
  /** As the service's role, which row-level security holds. */
  readonly url: string;
  productIds(tenantId: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

const app = join(import.meta.dirname, '../../../../apps/products');

/** Starts it below a directory. */
export async function openStore(directory: string): Promise<Store> {
  const server = await startPostgres({
    dataDirectory: join(directory, 'postgres'),
    port: 0,
    isThrowaway: true,
    settings: { fsync: 'off' },
  });
  const serviceRole = 'meridian_products';
  const { ownerUrl, serviceUrl } = await provisionDatabase({
    adminUrl: server.url,
    database: serviceRole,
    serviceRole,
    servicePassword: 'bench',
  });
  await migrateDatabase({ ownerUrl, directory: join(app, 'migrations'), serviceRole });
  const seed = spawn(process.execPath, [join(app, 'src/seed.ts')], {
    env: { ...process.env, DATABASE_URL: serviceUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code]: unknown[] = await once(seed, 'exit');
  if (code !== 0) {
    throw new Error('The demo products cannot be inserted');
  }
  const admin = new Client(ownerUrl);
  await admin.connect();
  await admin.query('vacuum analyze');
  return {
    url: serviceUrl,
    async productIds(tenantId) {
      const { rows } = await admin.query<{ id: string }>(
        'select id from products where tenant_id = $1 order by id',
        [tenantId],
      );
      return rows.map(({ id }) => id);
    },
    async close() {
      await admin.end();
      await server.stop();
    },
  };
}
