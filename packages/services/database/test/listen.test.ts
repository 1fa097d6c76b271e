import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startPgbouncer } from '@meridian/postgres/pgbouncer';

import { connectDatabase } from '../src/index.ts';
import type { Database } from '../src/index.ts';
import { createNotesDatabase, eventually } from './notes-database.ts';
import type { NotesDatabase } from './notes-database.ts';

let store: NotesDatabase;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  store = await createNotesDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) {
    await close();
  }
});
afterAll(() => store.close());

interface Listening {
  readonly database: Database;
  readonly listener: ReturnType<Database['listen']>;
  readonly channel: string;
  readonly texts: readonly string[];
  readonly starts: () => number;
  readonly warnings: readonly unknown[];
}

function listen(urls: { readonly url: string; readonly listenUrl?: string }): Listening {
  const warnings: unknown[] = [];
  const database = connectDatabase({
    ...urls,
    applicationName: 'notes',
    poolSize: 2,
    statementTimeoutMs: 5000,
    logger: { warn: (...line: readonly unknown[]) => void warnings.push(line) },
  });
  const channel = `a channel "${randomUUID()}"`;
  const texts: string[] = [];
  let starts = 0;
  const listener = database.listen(channel, {
    onText: (text) => texts.push(text),
    onStart: () => (starts += 1),
  });
  closing.push(
    () => database.close(),
    () => listener.close(),
  );
  return { database, listener, channel, texts, starts: () => starts, warnings };
}

async function notify({ database, channel }: Listening, text: string): Promise<void> {
  await database.query('select pg_notify($1, $2)', [channel, text]);
}

async function listeners(): Promise<number[]> {
  const { rows } = await store.admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'notes listener' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
}

describe('Database.listen', () => {
  it('passes the notifications of its channel on, on one connection', async () => {
    const listening = listen({ url: store.directUrl });
    await eventually(async () => listening.listener.isActive);
    await listening.database.query('select pg_notify($1, $2)', ['another channel', 'not for it']);
    await notify(listening, 'one');
    await notify(listening, 'two');
    await eventually(async () => isDeepStrictEqual(listening.texts, ['one', 'two']));
    expect(await listeners()).toHaveLength(1);
    listening.listener.close();
    await eventually(async () => (await listeners()).length === 0);
    expect(listening.warnings).toEqual([]);
  });

  it('listens again when its connection is lost, and says so', async () => {
    const listening = listen({ url: store.directUrl });
    await eventually(async () => listening.starts() === 1);
    const [pid] = await listeners();
    await store.admin.query('select pg_terminate_backend($1::integer)', [pid]);
    await eventually(async () => listening.starts() === 2);
    await notify(listening, 'again');
    await eventually(async () => isDeepStrictEqual(listening.texts, ['again']));
    expect(await listeners()).toHaveLength(1);
  });

  it('listens once the server can be reached', async () => {
    await store.admin.query('alter role meridian_notes with nologin');
    const listening = listen({ url: store.directUrl });
    await eventually(async () => listening.warnings.length === 1);
    expect(listening.listener.isActive).toBe(false);
    await store.admin.query('alter role meridian_notes with login');
    await eventually(async () => listening.listener.isActive);
    // One line, however often it has tried.
    expect(listening.warnings).toHaveLength(1);
  });

  it('does not listen through a pooler, which has no session for it, unless another URL is given', async () => {
    const pgbouncer = await startPgbouncer({ serviceUrl: store.directUrl, statementTimeoutMs: 5000 });
    closing.push(() => pgbouncer.stop());
    const pooled = listen({ url: pgbouncer.url });
    await eventually(async () => pooled.warnings.length === 1);
    expect(JSON.stringify(pooled.warnings)).toContain('PooledConnection');
    expect(pooled.listener.isActive).toBe(false);

    const direct = listen({ url: pgbouncer.url, listenUrl: store.directUrl });
    await eventually(async () => direct.listener.isActive);
    await notify(direct, 'around it');
    await eventually(async () => isDeepStrictEqual(direct.texts, ['around it']));
  });
});
