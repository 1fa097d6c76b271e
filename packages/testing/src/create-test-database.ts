import { randomUUID } from 'node:crypto';
import { dropDatabase, migrateDatabase, provisionDatabase } from '@meridian/database';
import { openTestRoute } from '@meridian/postgres/pgbouncer';

import { testServerUrl } from './test-server.ts';

/** The parts of a suite's database. */
export interface TestDatabaseOptions {
  /** The app's folder of migrations. */
  readonly migrations: URL;
  /** The app's role, such as `meridian_accounts`. */
  readonly serviceRole: string;
  /** The option that the service requests when it connects; for a proxy that drops it. */
  readonly statementTimeoutMs?: number;
}

/** A database of one suite's own. */
export interface TestDatabase {
  /** As the service: row-level security holds this role. Through PgBouncer, where the test run says so. */
  readonly serviceUrl: string;
  /** As the owner, an ordinary role that ran the migrations: forced row-level security holds it too. */
  readonly ownerUrl: string;
  /** As superuser: for a test that looks at the rows of all tenants, or gets in the service's way. */
  readonly adminUrl: string;
  /** Removes the database, under any connection that is still open. */
  drop(): Promise<void>;
}

/** Creates a database with the app's schema on the run's PostgreSQL. One per suite, in `beforeAll`. */
export async function createTestDatabase({
  migrations,
  serviceRole,
  statementTimeoutMs = 10_000,
}: TestDatabaseOptions): Promise<TestDatabase> {
  const serverUrl = testServerUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const urls = await provisionDatabase({
    adminUrl: serverUrl,
    database: name,
    serviceRole,
    servicePassword: 'service',
    owner: { role: 'meridian_test_owner', password: 'owner' },
  });
  await migrateDatabase({ ownerUrl: urls.ownerUrl, directory: migrations, serviceRole });
  const adminUrl = new URL(serverUrl);
  adminUrl.pathname = `/${name}`;
  const route = await openTestRoute({ serviceUrl: urls.serviceUrl, statementTimeoutMs });
  return {
    ownerUrl: urls.ownerUrl,
    serviceUrl: route.serviceUrl,
    adminUrl: adminUrl.href,
    async drop() {
      await dropDatabase(serverUrl, name);
      await route.close();
    },
  };
}
