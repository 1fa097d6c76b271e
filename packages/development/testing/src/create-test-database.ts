import { randomUUID } from 'node:crypto';
import {
  distributeDatabase,
  dropDatabase,
  migrateDatabase,
  provisionCitusDatabase,
  provisionDatabase,
  readDistribution,
} from '@meridian/database';
import { openTestRoute } from '@meridian/postgres/pgbouncer';
import { testServer } from '@meridian/postgres/test-server';

import { countLockWaits } from './count-lock-waits.ts';

/** The parts of a suite's database. */
export interface TestDatabaseOptions {
  /** The app's folder of migrations. */
  readonly migrations: URL;
  /** The app's role, such as `meridian_accounts`. */
  readonly serviceRole: string;
  /** The option that the service requests when it connects; for a proxy that drops it. */
  readonly statementTimeoutMs?: number;
}

/** The database of one suite. */
export interface TestDatabase {
  /** As the service: row-level security binds this role. Through PgBouncer, where the test run says so. */
  readonly serviceUrl: string;
  /** As the owner, an ordinary role that ran the migrations: forced row-level security binds it too. */
  readonly ownerUrl: string;
  /** As superuser: for a test that reads the rows of all tenants, or obstructs the service. */
  readonly adminUrl: string;
  /** The same on the workers, if the run's database is a Citus cluster. */
  readonly workerAdminUrls: readonly string[];
  /** Counts the connections of the service that wait for a lock, at this moment, on every node. */
  countLockWaits(applicationName: string): Promise<number>;
  /** Removes the database, with any connection that is still open. */
  drop(): Promise<void>;
}

/** Few, so that a suite's database is created quickly; at least two for each worker. */
const shardCount = 4;

/** Creates a database with the app's schema on the run's PostgreSQL or Citus. One per suite, in `beforeAll`. */
export async function createTestDatabase({
  migrations,
  serviceRole,
  statementTimeoutMs = 10_000,
}: TestDatabaseOptions): Promise<TestDatabase> {
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
    ownerUrl,
    serviceUrl: route.serviceUrl,
    adminUrl: urlOf(serverUrl),
    workerAdminUrls: workerUrls.map(urlOf),
    countLockWaits: (applicationName) => countLockWaits(nodeUrls.map(urlOf), applicationName),
    async drop() {
      await Promise.all(nodeUrls.map((url) => dropDatabase(url, database)));
      await route.close();
    },
  };
}
