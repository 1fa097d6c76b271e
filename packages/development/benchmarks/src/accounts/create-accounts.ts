import { join } from 'node:path';

import { migrateDatabase, provisionDatabase } from '@meridian/database';
import { Client } from 'pg';

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;

const tenantId = 'acme';

/** Creates a database with so many accounts of one tenant: `account-0`, `account-1` and so on, each at revision 1. */
export async function createAccounts(adminUrl: string, count: number) {
  const serviceRole = 'meridian_accounts';
  const { ownerUrl, serviceUrl } = await provisionDatabase({
    adminUrl,
    database: 'accounts',
    serviceRole,
    servicePassword: 'bench',
  });
  const migrations = join(import.meta.dirname, '../../../../../apps/accounts/migrations');
  await migrateDatabase({ ownerUrl, directory: migrations, serviceRole });
  // The administrator is a superuser here: row-level security lets it write.
  const admin = new Client(ownerUrl);
  await admin.connect();
  try {
    await admin.query(
      `insert into accounts (tenant_id, id, balance_minor_units, created_at)
       select $1, 'account-' || n, n, now() - n * interval '1 second' from generate_series(0, $2::int - 1) n`,
      [tenantId, count],
    );
    await admin.query('vacuum analyze');
    await admin.query('checkpoint');
    const { rows } = await admin.query<{ epoch: string }>('select epoch from store_epoch');
    // The URL is of the service's role, which row-level security holds.
    return { url: serviceUrl, tenantId, count, storeEpoch: rows[0]?.epoch ?? '' };
  } finally {
    await admin.end();
  }
}
