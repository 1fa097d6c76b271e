import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TenantTransaction } from '../../src/index.ts';
import { connectNotes, createNotesDatabase, withSetting } from '../notes-database.ts';
import type { NotesDatabase } from '../notes-database.ts';

describe('transactionAsTenant', () => {
  let notes: NotesDatabase;

  beforeAll(async () => {
    notes = await createNotesDatabase();
  });

  beforeEach(async () => {
    await notes.admin.query('truncate notes');
    await notes.admin.query("insert into notes values ('acme', 'a1'), ('acme', 'a2'), ('globex', 'g1')");
  });

  afterAll(() => notes.close());

  async function bodies(): Promise<string[]> {
    const { rows } = await notes.admin.query<{ body: string }>('select body from notes order by id');
    return rows.map(({ body }) => body);
  }

  it("commits its changes, on the tenant's rows only", async () => {
    const { database } = notes;
    const result = await database.transactionAsTenant('acme', async (transaction) => {
      await transaction.run(database.knex('notes').update({ body: 'first' }));
      const read = await transaction.query<{ id: string }>(
        'select id from notes where body = $1 order by id',
        ['first'],
      );
      return read.map(({ id }) => id);
    });
    expect(result).toEqual(['a1', 'a2']);
    await expect(bodies()).resolves.toEqual(['first', 'first', '']);
  });

  it('is read committed, whatever the default is', async () => {
    const database = connectNotes(
      withSetting(notes.directUrl, 'default_transaction_isolation', 'serializable'),
    );
    await expect(
      database.transactionAsTenant('acme', (transaction) => transaction.query('show transaction_isolation')),
    ).resolves.toEqual([{ transaction_isolation: 'read committed' }]);
    await database.close();
  });

  it("rolls its changes back when the work throws, and rejects with the work's error", async () => {
    const { database } = notes;
    const reason = new Error('second thoughts');
    await expect(
      database.transactionAsTenant('acme', async (transaction) => {
        await transaction.run(database.knex('notes').update({ body: 'first' }));
        throw reason;
      }),
    ).rejects.toBe(reason);
    await expect(bodies()).resolves.toEqual(['', '', '']);
  });

  it('rejects when a statement failed and the work continued regardless', async () => {
    const { database } = notes;
    await expect(
      database.transactionAsTenant('acme', async (transaction) => {
        await transaction.run(database.knex('notes').update({ body: 'first' }));
        await transaction.query('select 1 / 0').catch(() => undefined);
        return 'all went well';
      }),
    ).rejects.toMatchObject({ code: '22012' });
    await expect(bodies()).resolves.toEqual(['', '', '']);
  });

  it('rejects when a statement failed that the work did not await', async () => {
    const { database } = notes;
    await expect(
      database.transactionAsTenant('acme', async (transaction) => {
        transaction.query('select 1 / 0').catch(() => undefined);
      }),
    ).rejects.toMatchObject({ code: '22012' });
  });

  it('refuses a statement after its end', async () => {
    const { database } = notes;
    let kept: TenantTransaction | undefined;
    await database.transactionAsTenant('acme', async (transaction) => {
      kept = transaction;
    });
    await expect(kept?.query('select 1')).rejects.toThrow('a transaction that is over');
  });

  it('runs the work again when the server ended it to resolve a deadlock', async () => {
    const { database } = notes;
    const bothHoldOne = meetingOf(2);
    const attempts: string[] = [];
    const lockBoth = (first: string, second: string): Promise<void> =>
      database.transactionAsTenant('acme', async (transaction) => {
        attempts.push(first);
        await transaction.run(database.knex('notes').update({ body: first }).where({ id: first }));
        await bothHoldOne();
        await transaction.run(database.knex('notes').update({ body: first }).where({ id: second }));
      });
    await Promise.all([lockBoth('a1', 'a2'), lockBoth('a2', 'a1')]);
    // Three, or more when the second attempt locks its first row before the other transaction wakes up to do so.
    expect(attempts.length).toBeGreaterThan(2);
    const [a1, a2] = await bodies();
    expect(a1).toBe(a2);
  });

  it.each([
    [
      'ten times where others are in its way',
      10,
      '40001',
      `do $$ begin raise '' using errcode = '40001'; end $$`,
    ],
    ['once where it fails by itself', 1, '23505', `insert into notes values ('acme', 'a1')`],
  ])('runs the work %s, and rejects with the last reason', async (_, times, code, sql) => {
    let attempts = 0;
    await expect(
      notes.database.transactionAsTenant('acme', async (transaction) => {
        attempts += 1;
        await transaction.query(sql);
      }),
    ).rejects.toMatchObject({ code });
    expect(attempts).toBe(times);
  });
});

/** A function that resolves for all its callers when so many have called it; at once for any later one. */
function meetingOf(size: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    present += 1;
    if (present >= size) {
      resolve();
    }
    return promise;
  };
}
