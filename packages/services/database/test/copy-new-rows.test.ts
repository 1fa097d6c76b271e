import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { withCopy } from '../src/index.ts';
import type { CopyBatch } from '../src/index.ts';
import { createNotesDatabase, testServerUrl } from './notes-database.ts';
import type { NotesDatabase } from './notes-database.ts';

describe('withCopy', () => {
  let notes: NotesDatabase;
  let adminUrl: URL;

  beforeAll(async () => {
    notes = await createNotesDatabase();
    adminUrl = new URL(await testServerUrl());
    adminUrl.pathname = notes.admin.database ?? '';
  });
  beforeEach(() => notes.admin.query('truncate notes'));
  afterAll(() => notes.close());

  const batchOf = (...rows: (string | null)[][]): CopyBatch => ({
    tables: [
      {
        table: 'notes',
        columns: ['tenant_id', 'id', 'body'],
        rows,
      },
    ],
  });
  const copy = (...batches: CopyBatch[]) =>
    withCopy(adminUrl.href, async (copyNewRows) => {
      for (const batch of batches) {
        await copyNewRows(batch);
      }
    });
  const all = async () =>
    (await notes.admin.query('select tenant_id, id, body from notes order by id')).rows.map((row) =>
      Object.values(row),
    );

  it('inserts rows into a table with forced row-level security', async () => {
    await copy(batchOf(['acme', '1', 'one'], ['acme', '2', 'two']), batchOf(['acme', '3', 'three']));
    expect(await all()).toEqual([
      ['acme', '1', 'one'],
      ['acme', '2', 'two'],
      ['acme', '3', 'three'],
    ]);
  });

  it.each(['\\', '\\N', '\\.', 'a\tb', 'a\nb', 'a\r\nb', '', "it's", '“ü”', '\u{1F600}'])(
    'keeps the text %j unchanged',
    async (text) => {
      await copy(batchOf(['acme', '1', text], ['acme', '2', 'after it']));
      expect(await all()).toEqual([
        ['acme', '1', text],
        ['acme', '2', 'after it'],
      ]);
    },
  );

  it('writes null as null', async () => {
    await expect(copy(batchOf(['acme', '1', null]))).rejects.toMatchObject({ code: '23502', column: 'body' });
  });

  it('leaves an existing row unchanged', async () => {
    await copy(batchOf(['acme', '1', 'first']), batchOf(['acme', '1', 'second'], ['acme', '2', 'two']));
    expect(await all()).toEqual([
      ['acme', '1', 'first'],
      ['acme', '2', 'two'],
    ]);
  });

  it('merges rows with the statement of the batch', async () => {
    const merge = `insert into notes select tenant_id, id, upper(body) from incoming_notes`;
    await copy({ ...batchOf(['acme', '1', 'loud']), merge });
    expect(await all()).toEqual([['acme', '1', 'LOUD']]);
  });

  it('inserts nothing of a batch that fails, and all rows of earlier ones', async () => {
    const failing = { ...batchOf(['acme', '2', 'two']), merge: 'select 1 / 0 from incoming_notes' };
    await expect(copy(batchOf(['acme', '1', 'one']), failing)).rejects.toMatchObject({ code: '22012' });
    expect(await all()).toEqual([['acme', '1', 'one']]);
  });

  it('rejects when the rows do not fit the table', async () => {
    await expect(copy(batchOf(['acme', '1']))).rejects.toMatchObject({ code: '22P04' });
  });
});
