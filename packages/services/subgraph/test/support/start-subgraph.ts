import { afterAll, beforeAll } from '@jest/globals';
import { StopController } from '@meridian/cancellation';
import { connectDatabase, WorkerUnavailable } from '@meridian/database';
import type { Database } from '@meridian/database';
import { ServiceStopping, limitWaiting } from '@meridian/http';
import { createLogger } from '@meridian/telemetry';
import { createTestDatabase, runScript } from '@meridian/testing';
import type { TestDatabaseOptions } from '@meridian/testing';

import type { ResourceConfig, ServiceDependencies } from '@meridian/service';
import type { ServedSubgraph } from '../../src/index.ts';
import { hostSubgraph } from './host-subgraph.ts';
import type { HostedSubgraph, HostOptions } from './host-subgraph.ts';

export interface StartOptions extends HostOptions, TestDatabaseOptions {
  readonly createApp: (dependencies: ServiceDependencies & ResourceConfig) => Promise<ServedSubgraph>;
  /** The app's `src/seed.ts`, to have the demo data. */
  readonly seed?: URL;
}

/** A subgraph that serves on its own port, with its own database. */
export interface StartedSubgraph extends HostedSubgraph {
  /** The service's view of the database, for the arrangements of a test. */
  readonly database: Database;
  /** As the service. */
  readonly serviceUrl: string;
  /** As a superuser sees it: the rows of all tenants. */
  readonly adminUrl: string;
  /** The tenants whose rows a statement without a condition reaches, run as a tenant or as none. */
  tenantsSeenIn(table: string, asTenant?: string): Promise<string[]>;
  /** The number of statements that wait for a lock at this moment, on every node of the database. */
  countLockWaits(): Promise<number>;
  /** The result of `work`, and the number of statements that the subgraph sent to the database while it ran. */
  counting<Answer>(work: () => Promise<Answer>): Promise<{ response: Answer; statements: number }>;
}

/** For an app that has resources beside its graph. */
const resources: ResourceConfig = {
  etagKeys: ['a key of the tests'],
  cursorKeys: ['a key of the tests'],
  tenantRequestsPerSecond: 10_000,
};

/** Starts a whole app, as `main.ts` does, for one suite. */
export async function startSubgraph({ createApp, seed, ...options }: StartOptions): Promise<StartedSubgraph> {
  const store = await createTestDatabase(options);
  if (seed !== undefined) {
    await seedWith(seed, store.serviceUrl);
  }
  const database = connectDatabase({
    url: store.serviceUrl,
    applicationName: store.serviceRole,
    poolSize: 10,
    statementTimeoutMs: 10_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  let statements = 0;
  const counted: Database = {
    ...database,
    query(...call) {
      // A write of before is announced some time after it.
      statements += call[0].includes('pg_notify') ? 0 : 1;
      return database.query(...call);
    },
    asTenant(...call) {
      statements += 1;
      return database.asTenant(...call);
    },
    transactionAsTenant(tenantId, work, signal) {
      return database.transactionAsTenant(
        tenantId,
        (transaction) =>
          work({
            ...transaction,
            run(...call) {
              statements += 1;
              return transaction.run(...call);
            },
            query(...call) {
              statements += 1;
              return transaction.query(...call);
            },
          }),
        signal,
      );
    },
  };
  const stopping = new StopController();
  const waitingRequests = limitWaiting({ maxWaiting: 5000, maxTenantWaiting: 2000 });
  const hosted = await hostSubgraph(
    (hosting) => createApp({ ...hosting, ...resources, waitingRequests, stopping, database: counted }),
    options,
  );

  return {
    ...hosted,
    database,
    serviceUrl: store.serviceUrl,
    adminUrl: store.adminUrl,
    countLockWaits: () => store.countLockWaits(store.serviceRole),
    async tenantsSeenIn(table, asTenant) {
      const query = database.knex(table).distinct('tenant_id').orderBy('tenant_id');
      const rows =
        asTenant === undefined
          ? await database
              .query<{ tenant_id: string }>(query.toQuery(), [], { readOnly: true })
              .catch(noneIfRefused)
          : await database.transactionAsTenant(asTenant, async (transaction) => {
              // A cluster refuses statements that ask several shards, as this one does. On one PostgreSQL this sets
              // nothing.
              await transaction.query(`set local citus.multi_task_query_log_level = 'off'`);
              return await transaction.run<{ tenant_id: string }>(query);
            });
      return rows.map((row) => row.tenant_id);
    },
    async counting(work) {
      const before = statements;
      const response = await work();
      return { response, statements: statements - before };
    },
    async stop() {
      stopping.abort(new ServiceStopping());
      await hosted.stop();
      await database.close();
      await store.drop();
    },
  };
}

/** Where one PostgreSQL shows no row without a tenant, a cluster refuses the statement. */
function noneIfRefused(error: unknown): [] {
  if (error instanceof WorkerUnavailable) {
    return [];
  }
  throw error;
}

async function seedWith(seed: URL, serviceUrl: string): Promise<void> {
  const { code, stderr } = await runScript(seed, { DATABASE_URL: serviceUrl });
  if (code !== 0) {
    throw new Error(`Cannot seed: ${stderr}`);
  }
}

/** The service of a suite: it starts before the tests, and stops after them. */
export function useStarted<Started extends { readonly stop: () => Promise<unknown> }>(
  start: () => Promise<Started>,
): Started {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  return new Proxy({} as Started, { get: (_none, name) => Reflect.get(Object(started), name) });
}
