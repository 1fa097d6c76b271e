import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { StoreTimeout } from '../../src/index.ts';
import type { Database, TenantTransaction } from '../../src/index.ts';
import { deadlineByHand } from './deadline-by-hand.ts';
import { activityOf, createNotesDatabase, eventually, isRunning } from '../notes-database.ts';
import type { NotesDatabase } from '../notes-database.ts';

let notes: NotesDatabase;

beforeEach(async () => {
  // Without a timeout of the server's, which would end a statement as well: only the signal does.
  notes = await createNotesDatabase({ poolSize: 2, statementTimeoutMs: 0 });
});

afterEach(() => notes.close());

/** The error of a piece of work. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It was to fail');
}

/** The error of a call whose deadline passes while its `pg_sleep(60)` runs; every connection is idle then. */
async function overdue(call: (options: { signal: AbortSignal }) => Promise<unknown>): Promise<unknown> {
  const { admin } = notes;
  const deadline = deadlineByHand();
  const failure = failureOf(call({ signal: deadline.signal }));
  await isRunning(admin, 'pg_sleep(60)');
  deadline.pass();
  await eventually(async () => (await activityOf(admin)).every(({ state }) => state === 'idle'));
  return await failure;
}

const keptNotes = async () => (await notes.admin.query('select from notes')).rows;

/** Has so many connections acquired at once, until what it answers is called. */
async function holdConnections(database: Database, count: number): Promise<() => Promise<void>> {
  const letGo = Promise.withResolvers<void>();
  const acquired = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const holding = acquired.map(({ resolve }) =>
    database.transactionAsTenant('acme', async () => {
      resolve();
      await letGo.promise;
    }),
  );
  await Promise.all(acquired.map(({ promise }) => promise));
  return async () => {
    letGo.resolve();
    await Promise.all(holding);
  };
}

/** Aborts when the event loop has turned so many times. */
function abortAfterTurns(controller: AbortController, turns: number): void {
  setImmediate(() => {
    if (turns === 0) {
      controller.abort();
    } else {
      abortAfterTurns(controller, turns - 1);
    }
  });
}

describe('A deadline', () => {
  it('ends the wait for a connection with StoreTimeout, and loses no connection', async () => {
    const { database, admin } = notes;
    const letGo = await holdConnections(database, 2);

    await Promise.all(
      Array.from({ length: 20 }, () =>
        expect(database.ping({ signal: AbortSignal.timeout(100) })).rejects.toThrow(StoreTimeout),
      ),
    );

    await letGo();
    const letGoAgain = await holdConnections(database, 2);
    await expect(activityOf(admin)).resolves.toHaveLength(2);
    await letGoAgain();
  });

  it('cancels an overdue read in the database, and the connection serves the next one', async () => {
    const { database, admin } = notes;
    const [{ pid } = { pid: 0 }] = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
    const failure = overdue((options) =>
      database.query('select pg_sleep(60)', [], { ...options, readOnly: true }),
    );
    await expect(failure).resolves.toBeInstanceOf(StoreTimeout);
    await expect(activityOf(admin)).resolves.toMatchObject([{ pid }]);
    await expect(database.query('select pg_backend_pid() as pid')).resolves.toEqual([{ pid }]);
  });

  it('cancels an overdue read of a tenant as well', async () => {
    const { database } = notes;
    const slow = database.knex.raw('select pg_sleep(60)');
    const failure = overdue((options) => database.asTenant('acme', slow, { ...options, readOnly: true }));
    await expect(failure).resolves.toBeInstanceOf(StoreTimeout);
  });

  it('cancels an overdue write, with the outcome that nothing changed', async () => {
    const { database } = notes;
    const write = database.knex.raw("insert into notes select 'acme', 'late' from pg_sleep(60)");
    const failure = overdue((options) => database.asTenant('acme', write, options));
    await expect(failure).resolves.toBeInstanceOf(StoreTimeout);
    expect(await keptNotes()).toEqual([]);
  });

  it('rolls back a transaction before its commit, with the outcome that nothing changed', async () => {
    const { database } = notes;
    const work = async (transaction: TenantTransaction): Promise<void> => {
      await transaction.run(database.knex('notes').insert({ tenant_id: 'acme', id: 'early' }));
      await transaction.query('select pg_sleep(60)');
    };
    const failure = overdue((options) => database.transactionAsTenant('acme', work, options));
    await expect(failure).resolves.toBeInstanceOf(StoreTimeout);
    expect(await keptNotes()).toEqual([]);
  });

  it('rolls back a transaction whose work waits for something else, and refuses it further statements', async () => {
    const { database, admin } = notes;
    const deadline = deadlineByHand();
    const elsewhere = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const failure = failureOf(
      database.transactionAsTenant(
        'acme',
        async (transaction) => {
          await transaction.run(database.knex('notes').insert({ tenant_id: 'acme', id: 'early' }));
          deadline.pass();
          await elsewhere.promise;
          late.resolve(await transaction.query('select 1').catch((reason: unknown) => reason));
        },
        { signal: deadline.signal },
      ),
    );
    await expect(failure).resolves.toBeInstanceOf(StoreTimeout);
    elsewhere.resolve();
    await expect(late.promise).resolves.toMatchObject({ name: 'TimeoutError' });
    await eventually(async () => (await activityOf(admin)).every(({ state }) => state === 'idle'));
    expect(await keptNotes()).toEqual([]);
  });

  it('refuses the commit of work that ignores it', async () => {
    const { database } = notes;
    const work = async (transaction: TenantTransaction): Promise<void> => {
      await transaction.run(database.knex('notes').insert({ tenant_id: 'acme', id: 'early' }));
      await transaction.query('select pg_sleep(60)').catch(() => undefined);
    };
    await overdue((options) => database.transactionAsTenant('acme', work, options));
    expect(await keptNotes()).toEqual([]);
  });

  it('in the past sends nothing', async () => {
    const { database, admin } = notes;
    await expect(
      database.ping({ signal: AbortSignal.abort(new DOMException('late', 'TimeoutError')) }),
    ).rejects.toThrow(StoreTimeout);
    await expect(activityOf(admin)).resolves.toEqual([]);
  });
});

describe('A database client that hangs up', () => {
  it.each([
    ['read', true],
    ['write', false],
  ])('cancels its %s in the database, and gets its own reason', async (_, readOnly) => {
    const { database, admin } = notes;
    const client = new AbortController();
    const [outcome] = await Promise.allSettled([
      database.query('select pg_sleep(60)', [], { signal: client.signal, readOnly }),
      isRunning(admin, 'pg_sleep(60)').then(() => client.abort()),
    ]);
    expect(outcome).toEqual({ status: 'rejected', reason: client.signal.reason });
    await eventually(async () => (await activityOf(admin)).every(({ state }) => state === 'idle'));
  });

  it('at any moment of a transaction leaves a usable connection', async () => {
    const own = await createNotesDatabase({ poolSize: 1 });
    for (let round = 0; round < 60; round += 1) {
      const client = new AbortController();
      const abandoned = own.database.transactionAsTenant(
        'acme',
        (transaction) => transaction.query('select pg_sleep(0.001)'),
        { signal: client.signal },
      );
      // From before the begin is answered to after the commit is.
      abortAfterTurns(client, round);
      await Promise.allSettled([abandoned]);
      await expect(own.database.query('select 2 as two')).resolves.toEqual([{ two: 2 }]);
    }
    await own.close();
  });

  it("never cancels another's query", async () => {
    const own = await createNotesDatabase({ poolSize: 1 });
    for (let round = 0; round < 100; round += 1) {
      const client = new AbortController();
      const abandoned = own.database.query('select 1', [], { signal: client.signal, readOnly: true });
      // The query is on its way now, and done before its cancel request arrives: that finds the next one, or nothing.
      setImmediate(() => client.abort());
      await Promise.allSettled([abandoned]);
      await expect(own.database.query('select 2 as two from pg_sleep(0.002)')).resolves.toEqual([{ two: 2 }]);
    }
    await own.close();
  });
});

describe('statementTimeoutMs', () => {
  it('makes the server cancel a statement, write or read, with the certain outcome StoreTimeout', async () => {
    const own = await createNotesDatabase({ statementTimeoutMs: 100 });
    await expect(own.database.query('select pg_sleep(60)')).rejects.toThrow(StoreTimeout);
    const slow = own.database.knex.raw('select pg_sleep(60)');
    await expect(own.database.asTenant('acme', slow)).rejects.toThrow(StoreTimeout);
    await own.close();
  });

  it('makes the server end a transaction whose work waits for something else, which frees its locks', async () => {
    // Long enough for each of its statements, which come to their end on a busy machine, too.
    const own = await createNotesDatabase({ statementTimeoutMs: 500 });
    const idle = Promise.withResolvers<void>();
    const elsewhere = Promise.withResolvers<void>();
    const response = own.database.transactionAsTenant('acme', async (transaction) => {
      await transaction.run(own.database.knex('notes').insert({ tenant_id: 'acme', id: 'held' }));
      idle.resolve();
      await elsewhere.promise;
      await transaction.query('select 1');
    });
    await idle.promise;
    await eventually(async () => (await activityOf(own.admin)).length === 0);
    elsewhere.resolve();
    // It is run again, now without delay.
    await expect(response).resolves.toBeUndefined();
    await own.close();
  });
});
