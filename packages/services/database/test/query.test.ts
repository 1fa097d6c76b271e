import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectDatabase } from '../src/index.ts';
import type { DatabaseCall } from '../src/index.ts';
import { connectNotes, createNotesDatabase } from './notes-database.ts';
import type { NotesDatabase } from './notes-database.ts';

let notes: NotesDatabase;

beforeAll(async () => {
  notes = await createNotesDatabase();
});

afterAll(() => notes.close());

describe('Database.query', () => {
  it.each<[string, string, object]>([
    [
      '64-bit integers exactly',
      'select (-9223372036854775808)::bigint as least, 9223372036854775807::bigint as greatest',
      { least: -9223372036854775808n, greatest: 9223372036854775807n },
    ],
    [
      'a timestamptz as text in UTC, to the microsecond',
      "select '2026-01-02 04:04:05.123456+01'::timestamptz as time",
      { time: '2026-01-02T03:04:05.123456Z' },
    ],
    [
      'dates and times without a zone unchanged',
      "select '2026-01-02 03:04:05.123456'::timestamp as time, '2026-01-02'::date as day",
      { time: '2026-01-02 03:04:05.123456', day: '2026-01-02' },
    ],
    [
      'numeric as text, digit for digit',
      'select 18446744073709551616.50::numeric as n',
      { n: '18446744073709551616.50' },
    ],
  ])('reads %s', async (_, sql, row) => {
    await expect(notes.database.query(sql)).resolves.toEqual([row]);
  });

  it('writes 64-bit integers and times exactly: a value that it read is the same again', async () => {
    const [row] = await notes.database.query<{ time: string; least: bigint }>(
      'select clock_timestamp() as time, (-9223372036854775808)::bigint as least',
    );
    await expect(
      notes.database.query('select $1::timestamptz as time, $2::bigint as least', [row?.time, row?.least]),
    ).resolves.toEqual([row]);
  });

  it("passes PostgreSQL's own errors on unchanged", async () => {
    await expect(notes.database.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  });

  it('reports each call: its kind, its time and its failure', async () => {
    const calls: DatabaseCall[] = [];
    const database = connectDatabase({
      url: notes.url,
      applicationName: 'notes',
      poolSize: 1,
      statementTimeoutMs: 30_000,
      logger: { warn: () => {} },
      onCall: (call) => void calls.push(call),
    });
    await database.query('select 1');
    await database.asTenant('acme', database.knex('notes').select('id'));
    await database.transactionAsTenant('acme', async () => undefined);
    await expect(database.query('select 1 / 0')).rejects.toThrow('division by zero');
    await database.close();
    const durationMs: unknown = expect.any(Number);
    expect(calls).toEqual([
      { kind: 'query', durationMs, error: undefined },
      { kind: 'query', durationMs, error: undefined },
      { kind: 'transaction', durationMs, error: undefined },
      { kind: 'query', durationMs, error: expect.objectContaining({ code: '22012' }) },
    ]);
  });

  it('sees no row of any tenant', async () => {
    await notes.admin.query("insert into notes values ('acme', 'seen by nobody')");
    await expect(notes.database.query('select id from notes')).resolves.toEqual([]);
  });
});

describe('Database.knex', () => {
  it('builds queries and cannot run them, so that none runs without a deadline', async () => {
    await expect(notes.database.knex('notes').select('id')).rejects.toThrow('Unable to acquire a connection');
  });
});

describe('Database.ping', () => {
  it('resolves when the store responds', async () => {
    await expect(notes.database.ping()).resolves.toBeUndefined();
  });
});

describe('Database.close', () => {
  it('waits for the statements under way', async () => {
    const database = connectNotes(notes.url);
    const response = database.query('select pg_sleep(0.1)');
    await database.ping();
    await database.close();
    await expect(response).resolves.toHaveLength(1);
  });
});
