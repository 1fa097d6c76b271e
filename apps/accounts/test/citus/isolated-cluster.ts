import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  distributeDatabase,
  migrateDatabase,
  provisionCitusDatabase,
  readDistribution,
} from '@meridian/database';
import { citusVariable, findCitus, startCitus } from '@meridian/postgres/citus';
import { createTestIdentity } from '@meridian/testing';
import { Client } from 'pg';
import type { QueryResultRow } from 'pg';

/**
 * A Citus cluster for one suite, since the suite kills it or adds to it, and what a service process needs to use it.
 */
export type IsolatedCluster = Awaited<ReturnType<typeof startIsolatedCluster>>;

const app = new URL('../../', import.meta.url);
const database = 'meridian_accounts';

export async function startIsolatedCluster({ requestDeadlineMs = 3000 } = {}) {
  const programs = await findCitus(process.env[citusVariable]);
  if (programs === undefined) {
    throw new Error('There is no PostgreSQL with Citus on this machine');
  }
  const cluster = await startCitus({
    programs,
    dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-citus-')),
    workers: 2,
    // A commit survives SIGKILL without fsync: the system has it in memory, and the machine stays up.
    settings: { fsync: 'off', max_connections: '200' },
    isThrowaway: true,
  });
  const joinNodes = (): ReturnType<typeof provisionCitusDatabase> =>
    provisionCitusDatabase({
      coordinatorUrl: cluster.coordinator.url,
      workerUrls: cluster.workers.map(({ url }) => url),
      database,
      serviceRole: database,
      servicePassword: 'service',
    });
  const { ownerUrl, serviceUrl } = await joinNodes();
  const distribution = await readDistribution(new URL('distribution.json', app));
  if (distribution === undefined) {
    throw new Error('accounts has no distribution');
  }
  await migrateDatabase({ ownerUrl, directory: new URL('migrations/', app), serviceRole: database });
  const distribute = () =>
    distributeDatabase({ ownerUrl, distribution, serviceRole: database, shardCount: 4 });
  await distribute();
  const identity = await createTestIdentity();

  /** Runs a statement as superuser, on the coordinator unless another node is named. One that hangs fails. */
  async function admin<Row extends QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
    url = ownerUrl,
  ) {
    const client = new Client({ connectionString: url, statement_timeout: 150_000 });
    await client.connect();
    try {
      return await client.query<Row>(sql, [...values]);
    } finally {
      await client.end();
    }
  }

  return {
    cluster,
    serviceUrl,
    admin,

    /** Does again what `pnpm citus` and `pnpm migrate --distribute` do, as far as it is undone. */
    async prepare(): Promise<void> {
      await joinNodes();
      await distribute();
    },

    /** The URL of a node's database, as superuser. */
    databaseOf(node: { readonly url: string }): string {
      const url = new URL(node.url);
      url.pathname = `/${database}`;
      return url.href;
    },

    /** The worker that has a tenant's rows, and the shard of its accounts. */
    async placeOf(tenantId: string) {
      const { rows } = await admin<{ shard: string; port: number }>(
        `select s.shardid as shard, s.nodeport as port from citus_shards s
         where s.table_name = 'accounts'::regclass
           and s.shardid = get_shard_id_for_distribution_column('accounts', $1::text)`,
        [tenantId],
      );
      const [place] = rows;
      const worker = cluster.workers.find(({ url }) => Number(new URL(url).port) === place?.port);
      if (place === undefined || worker === undefined) {
        throw new Error(`No worker has ${tenantId}`);
      }
      return { ...place, worker };
    },

    /** Starts one more worker and makes it known to the database. */
    async addWorker() {
      const worker = await cluster.startWorker();
      await joinNodes();
      return worker;
    },

    /** Headers of a caller of a tenant, with all scopes. */
    async headersOf(tenant: string) {
      return {
        Authorization: `Bearer ${await identity.token({ tenant })}`,
        'Content-Type': 'application/json',
      };
    },

    environment: {
      DATABASE_URL: serviceUrl,
      JWKS_URL: identity.jwksUrl.href,
      JWT_ISSUER: identity.issuer,
      JWT_AUDIENCE: identity.audience,
      ETAG_KEYS: 'a key of the tests that is as long as it has to be',
      CURSOR_KEYS: 'a key of the tests that is as long as it has to be',
      REQUEST_DEADLINE_MS: String(requestDeadlineMs),
    },

    async stop(): Promise<void> {
      await identity.close();
      await cluster.stop();
    },
  };
}
