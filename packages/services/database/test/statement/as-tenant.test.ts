import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectNotes, createNotesDatabase } from '../notes-database.ts';
import type { NotesDatabase } from '../notes-database.ts';
import { startRoundTripCounter } from '../round-trip-counter.ts';

describe('asTenant', () => {
  let notes: NotesDatabase;

  beforeAll(async () => {
    // One connection, so that whatever a call leaves behind the next one meets.
    notes = await createNotesDatabase({ poolSize: 1 });
    await notes.admin.query("insert into notes values ('acme', 'a1', 'ours'), ('globex', 'g1', 'theirs')");
  });

  afterAll(() => notes.close());

  it("reads only the tenant's rows", async () => {
    const { database } = notes;
    const all = database.knex('notes').select('id');
    await expect(database.asTenant('acme', all)).resolves.toEqual([{ id: 'a1' }]);
    await expect(database.asTenant('globex', all)).resolves.toEqual([{ id: 'g1' }]);
    await expect(database.asTenant('umbrella', all)).resolves.toEqual([]);
  });

  it("writes, and returns the statement's result", async () => {
    const { database } = notes;
    const inserted = database.knex('notes').insert({ tenant_id: 'acme', id: 'a2' }).returning('id');
    await expect(database.asTenant('acme', inserted)).resolves.toEqual([{ id: 'a2' }]);
    await expect(
      database.asTenant('acme', database.knex('notes').where({ id: 'a2' }).delete()),
    ).resolves.toEqual([]);
  });

  it("refuses to write another tenant's row", async () => {
    const { database } = notes;
    await expect(
      database.asTenant('acme', database.knex('notes').insert({ tenant_id: 'globex', id: 'forged' })),
    ).rejects.toMatchObject({ code: '42501' });
    await database.asTenant('acme', database.knex('notes').update({ body: 'taken' }).where({ id: 'g1' }));
    await expect(notes.admin.query("select body from notes where id = 'g1'")).resolves.toMatchObject({
      rows: [{ body: 'theirs' }],
    });
  });

  it('leaves no tenant set on the connection', async () => {
    const { database } = notes;
    await database.asTenant('acme', database.knex('notes').select('id'));
    await expect(database.query('select id from notes')).resolves.toEqual([]);
  });

  it('accepts any text as a tenant', async () => {
    const { database } = notes;
    for (const tenant of [
      "o'neil",
      String.raw`back\slash`,
      '$1; drop table notes; --',
      'ünïcode',
      "'; commit; --",
    ]) {
      await database.asTenant(tenant, database.knex('notes').insert({ tenant_id: tenant, id: 'own' }));
      await expect(database.asTenant(tenant, database.knex('notes').select('tenant_id'))).resolves.toEqual([
        { tenant_id: tenant },
      ]);
    }
  });

  it('shows no row to a tenant with an empty name', async () => {
    const { database } = notes;
    await notes.admin.query("insert into notes values ('', 'nameless')");
    await expect(database.asTenant('', database.knex('notes').select('id'))).resolves.toEqual([]);
  });

  it('rejects with the reason of a failure, and keeps the connection', async () => {
    const { database } = notes;
    const [before] = await database.query('select pg_backend_pid() as pid');
    const duplicate = database.knex('notes').insert({ tenant_id: 'acme', id: 'a1' });
    await expect(database.asTenant('acme', duplicate)).rejects.toMatchObject({ code: '23505' });
    await expect(database.asTenant('acme', database.knex.raw('select nonsense'))).rejects.toMatchObject({
      code: '42703',
    });
    await expect(database.query('select pg_backend_pid() as pid')).resolves.toEqual([before]);
  });

  it('refuses a write in a statement that is marked as read-only', async () => {
    const { database } = notes;
    const write = database.knex.raw("update notes set body = 'changed'");
    await expect(database.asTenant('acme', write, { readOnly: true })).rejects.toMatchObject({
      code: '25006',
    });
  });

  it('repeats a statement that the server rolled back because of another transaction', async () => {
    const { database, admin } = notes;
    await admin.query(`
      create sequence attempts;
      grant usage on sequence attempts to meridian_notes;
      create function succeed_at_last() returns bigint language plpgsql as $$
      declare attempt bigint := nextval('attempts');
      begin
        if attempt < 3 then raise exception 'not yet' using errcode = '40001'; end if;
        return attempt;
      end $$`);
    const call = database.knex.raw('select succeed_at_last() as attempt');
    await expect(database.asTenant('acme', call)).resolves.toEqual([{ attempt: 3n }]);
  });

  it('takes one round trip', async () => {
    const counter = await startRoundTripCounter(notes.url);
    const database = connectNotes(counter.url, { poolSize: 1 });
    const read = (): Promise<object[]> =>
      database.asTenant('acme', database.knex('notes').select('id').where({ id: 'a1' }));
    await read();
    const before = counter.roundTrips();
    await expect(read()).resolves.toEqual([{ id: 'a1' }]);
    expect(counter.roundTrips() - before).toBe(1);
    await database.close();
    await counter.close();
  });
});
