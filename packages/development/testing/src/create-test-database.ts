import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';

import {
  distributeDatabase,
  dropDatabase,
  migrateDatabase,
  provisionCitusDatabase,
  provisionDatabase,
  readDistribution,
} from '@meridian/database';
import { databaseOf } from '@meridian/database/database-of';
import { openTestRoute } from '@meridian/postgres/pgbouncer';
import { testServer } from '@meridian/postgres/test-server';
import { Client } from 'pg';

/** The parts of a suite's database. */
export interface TestDatabaseOptions {
  /** The app's folder of migrations. */
  readonly migrations: URL;
  /** The app's role. Default: the one that `pnpm start` gives the app of the migrations, such as `meridian_accounts`. */
  readonly serviceRole?: string;
  /** The option that the service requests when it connects; for a proxy that drops it. */
  readonly statementTimeoutMs?: number;
}

/** The database of one suite. */
export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

/** Few, so that a suite's database is created quickly; at least two for each worker. */
const shardCount = 4;

/** Creates a database with the app's schema on the run's PostgreSQL or Citus. One per suite, in `beforeAll`. */
export async function createTestDatabase({
  migrations,
  serviceRole = databaseOf(basename(new URL('..', migrations).pathname)),
  statementTimeoutMs = 10_000,
}: TestDatabaseOptions) {
  const { url: serverUrl, workerUrls } = await testServer();
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const urlOf = (server: string): string => {
    const url = new URL(server);
    url.pathname = `/${database}`;
    return url.href;
  };
  const options = {
    database,
    serviceRole,
    servicePassword: 'service',
    owner: { role: 'meridian_test_owner', password: 'owner' },
  };
  const isCitus = workerUrls.length > 0;
  const { ownerUrl, serviceUrl } = isCitus
    ? await provisionCitusDatabase({ ...options, coordinatorUrl: serverUrl, workerUrls })
    : await provisionDatabase({ ...options, adminUrl: serverUrl });
  await migrateDatabase({ ownerUrl, directory: migrations, serviceRole });
  const distribution = isCitus
    ? await readDistribution(new URL('../distribution.json', migrations))
    : undefined;
  if (distribution !== undefined) {
    await distributeDatabase({ ownerUrl, distribution, serviceRole, shardCount });
  }
  const route = await openTestRoute({ serviceUrl, statementTimeoutMs });
  const nodeUrls = [serverUrl, ...workerUrls];
  return {
    serviceRole,
    /** As the owner, an ordinary role that ran the migrations: forced row-level security binds it too. */
    ownerUrl,
    /** As the service: row-level security binds this role. Through PgBouncer, where the test run says so. */
    serviceUrl: route.serviceUrl,
    /** As superuser: for a test that reads the rows of all tenants, or obstructs the service. */
    adminUrl: urlOf(serverUrl),
    /** The same on the workers, if the run's database is a Citus cluster. */
    workerAdminUrls: workerUrls.map(urlOf),
    /** Counts the connections of the service that wait for a lock, at this moment, on every node. */
    countLockWaits: (applicationName: string): Promise<number> =>
      countLockWaits(nodeUrls.map(urlOf), applicationName),
    /** Removes the database, with any connection that is still open. */
    async drop(): Promise<void> {
      await Promise.all(nodeUrls.map((url) => dropDatabase(url, database)));
      await route.close();
    },
  };
}

/**
 * Counts the connections that wait for a lock in a database on any of its nodes: a service's own, and those that Citus
 * makes for it.
 */
async function countLockWaits(urls: readonly string[], applicationName: string): Promise<number> {
  const counts = await Promise.all(urls.map((url) => countOn(url, applicationName)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countOn(url: string, applicationName: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
       where (application_name = $1 or application_name like 'citus_internal %')
         and wait_event_type = 'Lock' and datname = current_database()`,
      [applicationName],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
