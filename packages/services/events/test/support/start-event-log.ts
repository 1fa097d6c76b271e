import { connectDatabase } from '@meridian/database';
import { createLogger } from '@meridian/telemetry';
import { createTestDatabase } from '@meridian/testing';
import type { TestDatabaseOptions } from '@meridian/testing';
import { Client } from 'pg';

import { createEventStore } from '../../src/index.ts';
import type { Event, EventFilter, LogPosition } from '../../src/index.ts';

/** The database of an app, and its log as the app reads it. */
export type StartedEventLog = Awaited<ReturnType<typeof startEventLog>>;

const period = () => Math.floor(Date.now() / 864_000_000);

export async function startEventLog(options: TestDatabaseOptions) {
  const store = await createTestDatabase(options);
  const database = connectDatabase({
    url: store.serviceUrl,
    applicationName: store.serviceRole,
    poolSize: 10,
    statementTimeoutMs: 10_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const events = createEventStore(database);
  const admin = new Client(store.adminUrl);
  await admin.connect();

  const list = (tenantId: string, after: LogPosition, filter: EventFilter = {}, limit = 100) =>
    events.list(tenantId, { ...filter, after, limit }, AbortSignal.timeout(10_000));

  return {
    database,
    admin,
    /** The place before the oldest event. */
    start: (): LogPosition => ({ position: 0n, period: period() - 3 }),
    list,

    /** All events of a tenant after a place. */
    async readOn(tenantId: string, from: LogPosition, filter: EventFilter = {}) {
      const read: Event[] = [];
      for (let after = from; ;) {
        const { events: page, end } = await list(tenantId, after, filter);
        read.push(...page);
        after = end;
        if (page.length === 0) {
          return { events: read, end };
        }
      }
    },

    /** A connection of the service, in a transaction of a tenant. The caller ends the transaction and the connection. */
    async begin(tenantId: string): Promise<Client> {
      const client = new Client(store.serviceUrl);
      await client.connect();
      await client.query('begin');
      await client.query(`set local meridian.tenant_id = '${tenantId}'`);
      return client;
    },

    async stop(): Promise<void> {
      await admin.end();
      await database.close();
      await store.drop();
    },
  };
}
