import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startPostgres } from '@meridian/postgres';
import type { RunningPostgres } from '@meridian/postgres';

import { OutcomeUnknown, StoreTimeout, StoreUnavailable } from '../../src/index.ts';
import { activityOf, connectNotes, createNotesDatabase, eventually } from '../notes-database.ts';
import type { NotesDatabase } from '../notes-database.ts';

describe('A frozen database server', () => {
  // A server of these tests' own: no other suite should be frozen with it.
  let server: RunningPostgres;
  let notes: NotesDatabase;

  beforeAll(async () => {
    server = await startPostgres({
      dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-frozen-')),
      port: 0,
      isThrowaway: true,
      settings: { fsync: 'off' },
    });
  });

  beforeEach(async () => {
    notes = await createNotesDatabase({ serverUrl: server.url });
  });

  afterEach(async () => {
    thaw();
    await notes.close();
  });

  afterAll(() => server.stop());

  /** Stops the server and every process of it, as a machine does that hangs. */
  function freeze(): void {
    server.processIds().forEach((pid) => signal(pid, 'SIGSTOP'));
  }

  function thaw(): void {
    server.processIds().forEach((pid) => signal(pid, 'SIGCONT'));
  }

  /** A process of the server may end by itself after it was listed. */
  function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
        throw error;
      }
    }
  }

  it('causes StoreTimeout while it is frozen, and works afterwards with the same connections', async () => {
    const { database, admin } = notes;
    await Promise.all([1, 2, 3, 4].map(() => database.query('select pg_sleep(0.1)')));
    const before = await activityOf(admin);

    freeze();
    const responses = await Promise.allSettled([
      // More than there are connections: some wait for one.
      ...Array.from({ length: 10 }, () => database.ping({ signal: AbortSignal.timeout(200) })),
      database.asTenant('acme', database.knex('notes').select('id'), { signal: AbortSignal.timeout(200) }),
      database.transactionAsTenant('acme', async () => 'never', { signal: AbortSignal.timeout(200) }),
    ]);
    for (const response of responses) {
      expect(response).toMatchObject({ status: 'rejected', reason: expect.any(StoreTimeout) });
    }
    thaw();

    await Promise.all(
      Array.from({ length: 10 }, () => database.ping({ signal: AbortSignal.timeout(10_000) })),
    );
    const after = await activityOf(admin);
    // Behind PgBouncer they are its connections to the server, of which it may open more.
    const [pids, earlierPids] = [after, before].map((connections) => connections.map(({ pid }) => pid));
    expect(notes.isPooled || isDeepStrictEqual(pids, earlierPids)).toBe(true);
  });

  it('causes StoreTimeout within the deadline for a service that has no connection yet', async () => {
    const database = connectNotes(notes.url);
    freeze();
    await expect(database.ping({ signal: AbortSignal.timeout(200) })).rejects.toThrow(StoreTimeout);
    thaw();
    await expect(database.ping({ signal: AbortSignal.timeout(10_000) })).resolves.toBeUndefined();
    await database.close();
  });

  it('causes OutcomeUnknown within the deadline for a write', async () => {
    const { database } = notes;
    await database.ping();
    freeze();
    await expect(
      database.asTenant('acme', database.knex('notes').insert({ tenant_id: 'acme', id: 'lost?' }), {
        signal: AbortSignal.timeout(200),
      }),
    ).rejects.toThrow(OutcomeUnknown);
    thaw();
    await expect(database.ping({ signal: AbortSignal.timeout(10_000) })).resolves.toBeUndefined();
  });

  it('that stays frozen loses its connections, and new ones replace them', async () => {
    const { database } = notes;
    await database.ping();
    freeze();
    await expect(database.ping({ signal: AbortSignal.timeout(100) })).rejects.toThrow(StoreTimeout);
    // Longer than the pool waits for a cancelled statement to end.
    await delay(5500);
    await expect(database.ping({ signal: AbortSignal.timeout(100) })).rejects.toThrow(StoreTimeout);
    thaw();
    await Promise.all(
      Array.from({ length: 10 }, () => database.ping({ signal: AbortSignal.timeout(10_000) })),
    );
  });
});

describe('A stopped database server', () => {
  it('causes StoreUnavailable at once, and after its restart the same database works', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'meridian-stopped-'));
    const settings = { fsync: 'off' };
    const first = await startPostgres({ dataDirectory, port: 0, settings });
    const notes = await createNotesDatabase({ serverUrl: first.url });
    const { database } = notes;
    await database.ping();

    await first.stop();
    await expect(database.ping()).rejects.toThrow(StoreUnavailable);
    await expect(database.transactionAsTenant('acme', async () => 'never')).rejects.toThrow(StoreUnavailable);

    const second = await startPostgres({ dataDirectory, port: first.port, settings });
    // Straight it works at once; PgBouncer looks for a lost server once a second (`server_login_retry`).
    await eventually(() =>
      database.ping().then(
        () => true,
        () => false,
      ),
    );
    await notes.close();
    await second.stop();
    await rm(dataDirectory, { recursive: true });
  });
});
