import { mkdtemp, rm } from 'node:fs/promises';
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

/** With `canCrash`, its data outlive the server until `stop`. */
export async function startIsolatedStore({ requestDeadlineMs = 1000, canCrash = false } = {}) {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'meridian-accounts-'));
  const start = (port: number) =>
    startPostgres({ dataDirectory, port, settings: { fsync: 'off' }, isThrowaway: !canCrash });
  let postgres = await start(0);
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
  const headersOf = async (tenant: string) => ({
    Authorization: `Bearer ${await identity.token({ tenant })}`,
    'Content-Type': 'application/json',
  });
  const connectAdmin = async () => {
    const client = new Client({ connectionString: ownerUrl });
    await client.connect();
    return client;
  };

  return {
    /** The pids of the server and of all its backends, at this moment. */
    processIds: () => postgres.processIds(),

    /** Shuts the server down at once, without a checkpoint, and starts it again: it recovers from its log. */
    async crash(): Promise<void> {
      const [postmaster] = postgres.processIds();
      if (postmaster !== undefined) {
        process.kill(postmaster, 'SIGQUIT');
      }
      await postgres.ended;
      postgres = await start(postgres.port);
    },

    /** The headers of a tenant's caller with all scopes; below, of a caller of `acme`. */
    headersOf,
    headers: await headersOf('acme'),
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
    admin: async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) => {
      const client = await connectAdmin();
      try {
        return await client.query<Row>(sql, [...values]);
      } finally {
        await client.end();
      }
    },

    async stop(): Promise<void> {
      await identity.close();
      await route.close();
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
