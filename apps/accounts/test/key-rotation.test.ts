import { describe, expect, it } from '@jest/globals';

import { testKey, useAccounts } from './running-accounts.ts';

const newKey = 'the key that comes after the key of the tests, as long as it has to be';

const accounts = useAccounts();

describe('A new key of entity tags', () => {
  it('leaves tags by the previous key valid in If-Match, and gives responses tags by the current key', async () => {
    const { id, etag } = await accounts.create({});
    const rotated = await accounts.another({ etagKeys: [newKey, testKey] });

    const written = await rotated
      .put(`/accounts/${id}`)
      .set('If-Match', etag)
      .send('{"balance_minor_units":2}')
      .expect(200);
    const newTag = written.headers['etag'] ?? '';
    await rotated.get(`/accounts/${id}`).set('If-None-Match', newTag).expect(304);
    await rotated.put(`/accounts/${id}`).set('If-Match', etag).send('{"balance_minor_units":3}').expect(412);
  });

  it('answers 200 with the new tag to If-None-Match with a tag by the previous key', async () => {
    const { id, etag } = await accounts.create({});
    const rotated = await accounts.another({ etagKeys: [newKey, testKey] });
    const read = await rotated.get(`/accounts/${id}`).set('If-None-Match', etag).expect(200);
    expect(read.headers['etag']).not.toBe(etag);
  });

  it('makes tags by a removed key stale', async () => {
    const { id, etag } = await accounts.create({});
    const rotated = await accounts.another({ etagKeys: [newKey] });
    const response = await rotated
      .put(`/accounts/${id}`)
      .set('If-Match', etag)
      .send('{"balance_minor_units":2}')
      .expect(412);
    expect(response.text).toContain('/problems/stale-etag');
    expect(await accounts.revisionOf(id)).toBe(1n);
  });
});

describe('A new key of cursors', () => {
  async function cursorByTestKey(): Promise<string> {
    await accounts.create({});
    await accounts.create({});
    const page = await accounts.client().get('/accounts?limit=1').expect(200);
    const { next_cursor: cursor }: { next_cursor: string } = JSON.parse(page.text);
    return cursor;
  }

  it('leaves cursors by the previous key valid, and issues those by the current one', async () => {
    const cursor = await cursorByTestKey();
    const rotated = await accounts.another({ cursorKeys: [newKey, testKey] });
    const page = await rotated.get(`/accounts?limit=1&cursor=${cursor}`).expect(200);
    const { next_cursor: next }: { next_cursor: string } = JSON.parse(page.text);
    // An instance without the new key rejects it.
    await accounts.client().get(`/accounts?cursor=${next}`).expect(400);
  });
});
