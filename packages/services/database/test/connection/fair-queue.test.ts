import { afterEach, describe, expect, it } from '@jest/globals';

import type { Database } from '../../src/index.ts';
import { connectNotes, createNotesDatabase } from '../notes-database.ts';
import type { NotesDatabase } from '../notes-database.ts';

describe('The connections of a database', () => {
  let notes: NotesDatabase;
  afterEach(() => notes.close());

  /** Keeps a connection in a transaction until it is let go. */
  function hold(database: Database, tenantId: string) {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const over = database.transactionAsTenant(tenantId, async () => {
      begun.resolve();
      await end.promise;
    });
    return { begun: begun.promise, letGo: () => end.resolve(), over };
  }

  it('are given to a tenant soon, however many statements another one has waiting', async () => {
    notes = await createNotesDatabase({ poolSize: 1 });
    const { database } = notes;
    const held = hold(database, 'acme');
    await held.begun;
    const finished: string[] = [];
    const ask = async (tenantId: string) => {
      await database.query('select 1', [], { tenantId, readOnly: true });
      finished.push(tenantId);
    };
    const requested = [...Array.from({ length: 50 }, () => 'acme'), 'globex', 'globex'].map(ask);
    held.letGo();
    await Promise.all([held.over, ...requested]);
    expect(finished).toHaveLength(52);
    expect(finished.slice(0, 4).filter((tenantId) => tenantId === 'globex')).toHaveLength(2);
  });

  it('are never all held by one tenant, however slow it is', async () => {
    notes = await createNotesDatabase({ poolSize: 10 });
    const { database } = notes;
    const held = Array.from({ length: 30 }, () => hold(database, 'acme'));
    await Promise.all(held.slice(0, 8).map(({ begun }) => begun));
    const [row] = await database.query<{ one: number }>('select 1 as one', [], {
      tenantId: 'globex',
      readOnly: true,
    });
    expect(row).toEqual({ one: 1 });
    held.forEach(({ letGo }) => letGo());
    await Promise.all(held.map(({ over }) => over));
  });

  it('serve all callers where the server gives fewer than the pool may have', async () => {
    notes = await createNotesDatabase();
    // One is the administrator's.
    await notes.admin.query(
      `do $$ begin execute format('alter database %I connection limit 2', current_database()); end $$`,
    );
    const database = connectNotes(notes.directUrl);
    const reads = Array.from({ length: 8 }, () => database.query('select pg_sleep(0.01)'));
    await expect(Promise.all(reads)).resolves.toHaveLength(8);
    await database.close();

    await notes.admin.query(
      `do $$ begin execute format('alter database %I connection limit 0', current_database()); end $$`,
    );
    const refused = connectNotes(notes.directUrl);
    await expect(refused.query('select', [], { signal: AbortSignal.timeout(1500) })).rejects.toMatchObject({
      code: 'store-timeout',
      cause: { message: expect.stringMatching(/^too many connections for database/) },
    });
    await refused.close();
  });

  it('are passed on when the waiting callers have given up', async () => {
    notes = await createNotesDatabase({ poolSize: 1 });
    const { database } = notes;
    const held = hold(database, 'acme');
    await held.begun;
    const givenUp = Array.from({ length: 20 }, () =>
      database.query('select 1', [], { tenantId: 'acme', signal: AbortSignal.timeout(1) }),
    );
    expect((await Promise.allSettled(givenUp)).map(({ status }) => status)).toEqual(
      givenUp.map(() => 'rejected'),
    );
    held.letGo();
    await held.over;
    expect(await database.query('select 1 as one', [], { tenantId: 'acme' })).toEqual([{ one: 1 }]);
  });
});
