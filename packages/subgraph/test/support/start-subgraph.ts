import type { RequestListener } from 'node:http';

import { connectDatabase, type Database } from '@meridian/database';
import { createLogger } from '@meridian/telemetry';
import { createTestDatabase, type TestDatabaseOptions } from '@meridian/testing';

import type { SubgraphDependencies } from '../../src/index.ts';
import { type HostedSubgraph, hostSubgraph, type HostOptions } from './host-subgraph.ts';

export interface StartOptions extends HostOptions, TestDatabaseOptions {
  readonly createApp: (dependencies: SubgraphDependencies) => Promise<RequestListener>;
}

/** A subgraph that answers on a port of its own, over a database of its own. */
export interface StartedSubgraph extends HostedSubgraph {
  /** As the service sees it; for a test to arrange what it needs. */
  readonly database: Database;
  /** As a superuser sees it: the rows of all tenants. */
  readonly adminUrl: string;
  /** How many statements the subgraph has sent to the database while `work` ran. */
  countStatements(work: () => Promise<unknown>): Promise<number>;
}

/** Starts a whole app, as `main.ts` does, for one suite. */
export async function startSubgraph({ createApp, ...options }: StartOptions): Promise<StartedSubgraph> {
  const store = await createTestDatabase(options);
  const database = connectDatabase({
    url: store.serviceUrl,
    applicationName: options.serviceRole,
    poolSize: 10,
    statementTimeoutMs: 10_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  let statements = 0;
  const counted: Database = {
    ...database,
    asTenant(...call) {
      statements += 1;
      return database.asTenant(...call);
    },
  };
  const hosted = await hostSubgraph((hosting) => createApp({ ...hosting, database: counted }), options);

  return {
    ...hosted,
    database,
    adminUrl: store.adminUrl,
    async countStatements(work) {
      const before = statements;
      await work();
      return statements - before;
    },
    async stop() {
      await hosted.stop();
      await database.close();
      await store.drop();
    },
  };
}
