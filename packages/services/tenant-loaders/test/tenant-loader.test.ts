import { describe, expect, it } from '@jest/globals';

import { createTenantLoader, listLoaderByKey, loaderById, loaderByKey } from '../src/index.ts';
import type { FindRows, ReadBatch, TenantLoader } from '../src/index.ts';

interface Row {
  readonly id: string;
  readonly owner: string;
}

/** A loader that answers each key with itself, and the batches that it was asked for. */
function createEcho(signal = new AbortController().signal) {
  const batches: { tenantId: string; keys: readonly string[] }[] = [];
  const loader = createTenantLoader<string, string>(
    'echo',
    { tenantId: 'acme', signal },
    async (tenantId, keys) => {
      batches.push({ tenantId, keys });
      return keys;
    },
  );
  return { batches, loader };
}

const loaderOver = (readBatch: ReadBatch<string, string>) =>
  createTenantLoader('things', { tenantId: 'acme', signal: new AbortController().signal }, readBatch);

describe('A tenant loader', () => {
  it('reads concurrent keys as one batch of its tenant', async () => {
    const { batches, loader } = createEcho();
    expect(await Promise.all(['b', 'a', 'c'].map((key) => loader.load(key)))).toEqual(['b', 'a', 'c']);
    expect(batches).toEqual([{ tenantId: 'acme', keys: ['b', 'a', 'c'] }]);
  });

  it('reports how long each batch took, and whether it failed', async () => {
    const batches: unknown[][] = [];
    const scope = {
      tenantId: 'acme',
      signal: new AbortController().signal,
      onBatch: (...batch: unknown[]) => void batches.push(batch),
    };
    const loader = createTenantLoader<string, string>('things', scope, async (_, keys) => {
      if (keys.includes('bad')) {
        throw new Error('down');
      }
      return keys;
    });
    await Promise.all([loader.load('a'), loader.load('b')]);
    await expect(loader.load('bad')).rejects.toThrow('down');
    expect(batches).toEqual([
      ['things', expect.any(Number), 'success'],
      ['things', expect.any(Number), 'error'],
    ]);
  });

  it('reads a key once, however often it is loaded', async () => {
    const { batches, loader } = createEcho();
    await Promise.all([loader.load('a'), loader.load('a')]);
    await loader.load('a');
    expect(batches.map((batch) => batch.keys)).toEqual([['a']]);
  });

  it('holds at most 500 keys a batch', async () => {
    const { batches, loader } = createEcho();
    const keys = Array.from({ length: 1001 }, (_, index) => `key ${index}`);
    expect(await Promise.all(keys.map((key) => loader.load(key)))).toEqual(keys);
    expect(batches.map((batch) => batch.keys.length)).toEqual([500, 500, 1]);
  });

  it('returns null for a key without a value, and throws nothing', async () => {
    const loader = loaderOver(async (_, keys) => keys.map((key) => (key === 'missing' ? null : key)));
    expect(await Promise.all([loader.load('missing'), loader.load('a')])).toEqual([null, 'a']);
  });

  it.each([0, 1, 3])('rejects every key of a batch that returns %i values for two keys', async (count) => {
    const loader = loaderOver(async () => Array.from({ length: count }, () => 'value'));
    const outcomes = await Promise.allSettled([loader.load('a'), loader.load('b')]);
    const reason = new Error(`Cannot use the batch of things: 2 keys, ${count} values`);
    expect(outcomes).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });

  it('reads nothing more once the request is cancelled', async () => {
    const request = new AbortController();
    const { batches, loader } = createEcho(request.signal);
    const pending = loader.load('a');
    request.abort(new Error('the client hung up'));
    await expect(pending).rejects.toThrow('the client hung up');
    expect(batches).toEqual([]);
  });

  it('distinguishes keys that are objects by their cache key', async () => {
    const batches: (readonly { id: string; first: number }[])[] = [];
    const loader = createTenantLoader<{ id: string; first: number }, number>(
      'pages',
      { tenantId: 'acme', signal: new AbortController().signal },
      async (_, keys) => {
        batches.push(keys);
        return keys.map(({ first }) => first);
      },
      { cacheKeyOf: ({ id, first }) => `${id} ${first}` },
    );
    const keys = [
      { id: 'a', first: 1 },
      { id: 'a', first: 2 },
      { id: 'a', first: 1 },
    ];
    expect(await Promise.all(keys.map((key) => loader.load(key)))).toEqual([1, 2, 1]);
    expect(batches).toEqual([keys.slice(0, 2)]);
  });
});

describe('A loader of rows', () => {
  const rows: Row[] = [
    { id: '1', owner: 'bob' },
    { id: '2', owner: 'alice' },
    { id: '3', owner: 'bob' },
  ];
  const scope = { tenantId: 'acme', signal: new AbortController().signal };
  const findRows: FindRows<Row> = async (tenantId, keys, signal) => {
    expect([tenantId, signal]).toEqual([scope.tenantId, scope.signal]);
    return rows.filter(({ id, owner }) => keys.includes(id) || keys.includes(owner));
  };
  const loadAll = <Value>(loader: TenantLoader<string, Value>, keys: readonly string[]) =>
    Promise.all(keys.map((key) => loader.load(key)));

  it("returns each key's row, in the order of the keys, and null for a missing one", async () => {
    const byId = loaderById('rowById', scope, findRows);
    expect(await loadAll(byId, ['3', '9', '1', '3'])).toEqual([rows[2], null, rows[0], rows[2]]);
    const byOwner = loaderByKey('rowByOwner', scope, findRows, ({ owner }) => owner);
    expect(await loadAll(byOwner, ['carol', 'alice'])).toEqual([null, rows[1]]);
  });

  it("returns all of each key's rows, in the order of the keys, and an empty list when there are none", async () => {
    const loader = listLoaderByKey('rowsByOwner', scope, findRows, ({ owner }) => owner);
    expect(await loadAll(loader, ['carol', 'bob'])).toEqual([[], [rows[0], rows[2]]]);
  });
});
