import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrateDatabase, provisionDatabase } from '@meridian/database';
import { startPostgres } from '@meridian/postgres';
import { openTestRoute } from '@meridian/postgres/pgbouncer';
import { createTestIdentity } from '@meridian/testing';
import { Client } from 'pg';
import type { QueryResultRow } from 'pg';

/**
 * A PostgreSQL server for one suite, since the suite stops it or breaks it, and what a service process needs to use it.
 */
export type IsolatedStore = Awaited<ReturnType<typeof startIsolatedStore>>;

export async function startIsolatedStore({ requestDeadlineMs = 1000 } = {}) {
  const postgres = await startPostgres({
    dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-accounts-')),
    port: 0,
    settings: { fsync: 'off' },
    isThrowaway: true,
  });
  const { ownerUrl, serviceUrl } = await provisionDatabase({
    adminUrl: postgres.url,
    database: 'meridian_accounts',
    serviceRole: 'meridian_accounts',
    servicePassword: 'service',
  });
  await migrateDatabase({
    ownerUrl,
    directory: new URL('../migrations/', import.meta.url),
    serviceRole: 'meridian_accounts',
  });
  const route = await openTestRoute({ serviceUrl, statementTimeoutMs: requestDeadlineMs * 0.9 });
  const identity = await createTestIdentity();
  const token = await identity.token();
  const connectAdmin = async () => {
    const client = new Client({ connectionString: ownerUrl });
    await client.connect();
    return client;
  };

  return {
    postgres,
    /** The headers of a caller of `acme` with all scopes. */
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    environment: {
      DATABASE_URL: route.serviceUrl,
      JWKS_URL: identity.jwksUrl.href,
      JWT_ISSUER: identity.issuer,
      JWT_AUDIENCE: identity.audience,
      ETAG_KEYS: 'a key of the tests that is as long as it has to be',
      CURSOR_KEYS: 'a key of the tests that is as long as it has to be',
      REQUEST_DEADLINE_MS: String(requestDeadlineMs),
    },

    /** A superuser's connection; the caller ends it. */
    connectAdmin,

    /** Runs a statement as superuser, on a separate connection. */
    async admin<Row extends QueryResultRow>(sql: string) {
      const client = await connectAdmin();
      try {
        return await client.query<Row>(sql);
      } finally {
        await client.end();
      }
    },

    async stop(): Promise<void> {
      await identity.close();
      await route.close();
      await postgres.stop();
    },
  };
}
