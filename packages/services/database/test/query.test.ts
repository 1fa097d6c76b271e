import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectDatabase } from '../src/index.ts';
import type { DatabaseCall } from '../src/index.ts';
import { createNotesDatabase } from './notes-database.ts';
import type { NotesDatabase } from './notes-database.ts';

describe('Database.query', () => {
  let notes: NotesDatabase;

  beforeAll(async () => {
    notes = await createNotesDatabase();
  });

  afterAll(() => notes.close());

  it('writes and reads 64-bit integers exactly', async () => {
    await expect(
      notes.database.query('select $1::bigint as least, $2::bigint as greatest', [
        -9223372036854775808n,
        9223372036854775807n,
      ]),
    ).resolves.toEqual([{ least: -9223372036854775808n, greatest: 9223372036854775807n }]);
  });

  it('reads a timestamptz as text in UTC, to the microsecond', async () => {
    await expect(
      notes.database.query("select '2026-01-02 04:04:05.123456+01'::timestamptz as time"),
    ).resolves.toEqual([{ time: '2026-01-02T03:04:05.123456Z' }]);
  });

  it('finds a timestamptz by the text that it read', async () => {
    const [row] = await notes.database.query<{ time: string }>('select clock_timestamp() as time');
    await expect(notes.database.query('select $1::timestamptz as time', [row?.time])).resolves.toEqual([row]);
  });

  it('reads dates and times without a zone unchanged', async () => {
    await expect(
      notes.database.query(
        "select '2026-01-02 03:04:05.123456'::timestamp as time, '2026-01-02'::date as day",
      ),
    ).resolves.toEqual([{ time: '2026-01-02 03:04:05.123456', day: '2026-01-02' }]);
  });

  it('reads numeric as text, digit for digit', async () => {
    await expect(notes.database.query('select 18446744073709551616.50::numeric as n')).resolves.toEqual([
      { n: '18446744073709551616.50' },
    ]);
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
  let notes: NotesDatabase;

  beforeAll(async () => {
    notes = await createNotesDatabase();
  });

  afterAll(() => notes.close());

  it('builds queries and cannot run them, so that none runs without a deadline', async () => {
    await expect(notes.database.knex('notes').select('id')).rejects.toThrow('Unable to acquire a connection');
  });
});

describe('Database.ping', () => {
  it('resolves when the store responds', async () => {
    const notes = await createNotesDatabase();
    await expect(notes.database.ping()).resolves.toBeUndefined();
    await notes.close();
  });
});

describe('Database.close', () => {
  it('waits for the statements under way', async () => {
    const notes = await createNotesDatabase();
    const response = notes.database.query('select pg_sleep(0.1)');
    await notes.database.ping();
    await notes.database.close();
    await expect(response).resolves.toHaveLength(1);
    await notes.close();
  });
});
