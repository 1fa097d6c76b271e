import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { OutcomeUnknown, StoreTimeout } from '../../src/index.ts';
import type { Database } from '../../src/index.ts';
import { deadlineByHand } from './deadline-by-hand.ts';
import { activityOf, connectNotes, createNotesDatabase, eventually, isRunning } from '../notes-database.ts';
import type { NotesDatabase } from '../notes-database.ts';

let notes: NotesDatabase;

beforeEach(async () => {
  notes = await createNotesDatabase();
});

afterEach(() => notes.close());

/** Each function of a database, for one statement. */
const calls: readonly [name: string, call: (database: Database, sql: string) => Promise<unknown>][] = [
  ['query', (database, sql) => database.query(sql, [], { readOnly: sql.startsWith('select') })],
  [
    'asTenant',
    (database, sql) =>
      database.asTenant('acme', database.knex.raw(sql), { readOnly: sql.startsWith('select') }),
  ],
  [
    'transactionAsTenant',
    (database, sql) => database.transactionAsTenant('acme', (transaction) => transaction.query(sql)),
  ],
];

describe('Cut connections', () => {
  it.each(calls)('while idle do not affect the next %s', async (_, call) => {
    const { database } = notes;
    for (let round = 0; round < 20; round += 1) {
      // Two, so that a read that meets both before they are known to be lost has its third attempt left.
      await Promise.all([1, 2].map(() => database.ping()));
      await cutAll();
      await expect(call(database, 'select id from notes')).resolves.toEqual([]);
    }
  });

  it('while idle are logged, without the password', async () => {
    const lines: unknown[] = [];
    // Directly: PgBouncer does not report an idle connection of its own.
    const database = connectNotes(notes.directUrl, { warn: (...line) => lines.push(line) });
    await database.ping();
    await cutAll();
    await eventually(async () => lines.length > 0);
    expect(lines).toEqual([
      [
        { reason: 'terminating connection due to administrator command' },
        'an idle database connection was lost',
      ],
    ]);
    await database.close();
  });

  it('during a read do not affect it: the read is repeated', async () => {
    const { database, admin } = notes;
    const go = await holdBack();
    const response = database.query<{ one: number }>(`select 1 as one from ${heldBack}`, [], {
      readOnly: true,
    });
    await isRunning(admin, heldBack);
    await cutAll();
    await go();
    await expect(response).resolves.toEqual([{ one: 1 }]);
  });

  it('during a write make its outcome unknown, and it is not repeated', async () => {
    const { database, admin } = notes;
    const go = await holdBack();
    const write = database.knex.raw(`insert into notes select 'acme', 'once' from ${heldBack}`);
    const [outcome] = await Promise.allSettled([
      database.asTenant('acme', write),
      isRunning(admin, heldBack).then(cutAll).then(go),
    ]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(OutcomeUnknown) });
    await expect(admin.query('select from notes')).resolves.toMatchObject({ rows: [] });
  });

  it('during a transaction before its commit do not affect it: it runs again', async () => {
    const { database, admin } = notes;
    let attempts = 0;
    await database.transactionAsTenant('acme', async (transaction) => {
      attempts += 1;
      await transaction.run(database.knex('notes').insert({ tenant_id: 'acme', id: 'once' }));
      if (attempts === 1) {
        await cutAll();
      }
      await transaction.query('select 1');
    });
    expect(attempts).toBe(2);
    await expect(admin.query('select id from notes')).resolves.toMatchObject({ rows: [{ id: 'once' }] });
  });

  it('after the commit was sent make its outcome unknown, and it does not run again', async () => {
    const { database, admin } = notes;
    const go = await holdBackCommits();
    let attempts = 0;
    const [outcome] = await Promise.allSettled([
      database.transactionAsTenant('acme', async (transaction) => {
        attempts += 1;
        await transaction.run(database.knex('notes').insert({ tenant_id: 'acme', id: 'unknown' }));
      }),
      isRunning(admin, 'commit').then(cutAll).then(go),
    ]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(OutcomeUnknown) });
    expect(attempts).toBe(1);
  });
});

describe('A deadline after the commit was sent', () => {
  it('cancels it, with the outcome that nothing changed', async () => {
    const { database, admin } = notes;
    const go = await holdBackCommits();
    const deadline = deadlineByHand();
    const [outcome] = await Promise.allSettled([
      database.transactionAsTenant(
        'acme',
        (transaction) => transaction.run(database.knex('notes').insert({ tenant_id: 'acme', id: 'unknown' })),
        { signal: deadline.signal },
      ),
      isRunning(admin, 'commit').then(deadline.pass),
    ]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreTimeout) });
    await go();
    await expect(admin.query('select from notes')).resolves.toMatchObject({ rows: [] });
  });
});

describe('A connection to a server that has become read-only', () => {
  it.each(calls)('is not used again after a write by %s', async (_, call) => {
    const write = `insert into notes (tenant_id, id) values ('acme', 'a1')`;
    // Directly: PgBouncer keeps connections of its own.
    const database = connectNotes(notes.directUrl, { poolSize: 1 });
    await setReadOnly('on');
    await database.ping();
    await setReadOnly('off');
    await expect(call(database, write)).rejects.toMatchObject({ code: '25006' });
    await expect(database.asTenant('acme', database.knex.raw(write))).resolves.toEqual([]);
    await database.close();
  });

  /** Affects new connections. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    await notes.admin.query(`
      do $$ begin
        execute format('alter database %I set default_transaction_read_only = ${value}', current_database());
      end $$`);
  }
});

/** A function call for a statement that is to wait while it is held back. */
const heldBack = 'pg_advisory_xact_lock(1)';

/** Holds back all that call `heldBack`, until what this answers is called. */
async function holdBack(): Promise<() => Promise<void>> {
  await notes.admin.query('select pg_advisory_lock(1)');
  return async () => {
    await notes.admin.query('select pg_advisory_unlock(1)');
  };
}

/** Holds back each commit that follows a new note. */
async function holdBackCommits(): Promise<() => Promise<void>> {
  await notes.admin.query(`
    create function linger() returns trigger language plpgsql as $$ begin perform ${heldBack}; return null; end $$;
    create constraint trigger linger after insert on notes deferrable initially deferred
      for each row execute function linger()`);
  return await holdBack();
}

/** Ends the service's connections in the server, as a failover does. */
async function cutAll(): Promise<void> {
  const pids = (await activityOf(notes.admin)).map(({ pid }) => pid);
  await notes.admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
}
