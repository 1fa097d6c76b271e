import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openTestRoute } from '@meridian/postgres/pgbouncer';
import { testServer } from '@meridian/postgres/test-server';
import { Client } from 'pg';

import { connectDatabase, migrateDatabase, provisionDatabase } from '../src/index.ts';
import type { Database } from '../src/index.ts';

/** A database with one table of notes, the service's view of it, and a superuser's. */
export interface NotesDatabase {
  readonly database: Database;
  /** Of the service's role, straight to the server. */
  readonly directUrl: string;
  /** Of the service's role, on the way that the test run takes. */
  readonly url: string;
  /** True when the connection goes through PgBouncer. */
  readonly isPooled: boolean;
  readonly admin: Client;
  close(): Promise<void>;
}

/** Makes a database on a server, by default the test run's, and connects to it. */
export async function createNotesDatabase(
  options: { serverUrl?: string; poolSize?: number; statementTimeoutMs?: number } = {},
): Promise<NotesDatabase> {
  const { serverUrl = await testServerUrl(), poolSize = 4, statementTimeoutMs = 30_000 } = options;
  const name = databaseName();
  const { ownerUrl, serviceUrl } = await provisionDatabase({
    adminUrl: serverUrl,
    database: name,
    serviceRole: 'meridian_notes',
    servicePassword: 'service',
  });
  await migrateDatabase({
    ownerUrl,
    directory: new URL('migrations/', import.meta.url),
    serviceRole: 'meridian_notes',
  });
  const admin = new Client({ connectionString: ownerUrl });
  // The tests of outages take the server away from under it.
  admin.on('error', () => undefined);
  await admin.connect();
  const route = await openTestRoute({ serviceUrl, statementTimeoutMs });
  const database = connectNotes(route.serviceUrl, { poolSize, statementTimeoutMs });
  return {
    database,
    isPooled: route.isPooled,
    directUrl: serviceUrl,
    url: route.serviceUrl,
    admin,
    async close() {
      await database.close();
      await admin.end();
      await dropDatabase(serverUrl, name);
      await route.close();
    },
  };
}

/** The service's connection to its database, as an app makes it. */
export function connectNotes(
  url: string,
  options: { poolSize?: number; statementTimeoutMs?: number; warn?: (...line: unknown[]) => void } = {},
): Database {
  const { poolSize = 4, statementTimeoutMs = 30_000, warn = () => undefined } = options;
  return connectDatabase({
    url,
    applicationName: 'notes',
    poolSize,
    statementTimeoutMs,
    logger: { warn },
  });
}

/** The URL for a session with another default, as an operator may give it to a role. */
export function withSetting(url: string, name: string, setting: string): string {
  return `${url}?options=${encodeURIComponent(`-c ${name}=${setting}`)}`;
}

/** A name that no other suite has. */
export function databaseName(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}

/** Removes a database, under any connection that is still open. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  await client.end();
}

/** The PostgreSQL of the test run, as superuser. */
export async function testServerUrl(): Promise<string> {
  return (await testServer()).url;
}

/** The activity of the service's connections, from PostgreSQL, oldest connection first. */
export async function activityOf(admin: Client): Promise<{ pid: number; state: string; query: string }[]> {
  const { rows } = await admin.query<{ pid: number; state: string; query: string }>(
    `select pid, state, query from pg_stat_activity
     where datname = current_database() and application_name = 'notes' order by backend_start`,
  );
  return rows;
}

/** Waits until a condition holds; fails when it does not within a minute, which only a loaded machine needs. */
export async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Not within a minute: ${condition.toString()}`);
    }
    await delay(5);
  }
}

/** Waits until one of the service's connections is running this statement. */
export function isRunning(admin: Client, sql: string): Promise<void> {
  return eventually(async () =>
    (await activityOf(admin)).some(({ state, query }) => state === 'active' && query.includes(sql)),
  );
}
