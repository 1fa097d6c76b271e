import { describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

describe('PUT /accounts/:id', () => {
  const accounts = useAccounts();

  it('answers 200 with a new ETag and no body, and the write is read back', async () => {
    const { id, etag } = await accounts.create({ balance: 1n });

    const response = await accounts.put(id, etag, 2).expect(200);

    expect(response.headers).toMatchObject({
      'content-length': '0',
      'cache-control': 'private, max-age=0, must-revalidate',
    });
    expect(response.headers['etag']).not.toBe(etag);
    const read = await accounts.client().get(`/accounts/${id}`).expect(200);
    expect(read.text).toBe(`{"id":"${id}","balance_minor_units":2}`);
    expect(read.headers['etag']).toBe(response.headers['etag']);
  });

  it.each([
    ['return=representation', 'application/json', (id: string) => `{"id":"${id}","balance_minor_units":2}`],
    [
      'respond-async, RETURN="representation";foo',
      '*/*',
      (id: string) => `{"id":"${id}","balance_minor_units":2}`,
    ],
    ['return=minimal, return=representation', 'application/json', () => ''],
    ['return=representation', 'application/vnd.meridian.account.v2+json', () => ''],
    ['return=representations', '*/*', () => ''],
  ])('with Prefer: %s and Accept: %s, answers what it prefers if it can', async (prefer, accept, bodyOf) => {
    const { id, etag } = await accounts.create({ balance: 1n });
    const response = await accounts
      .client()
      .put(`/accounts/${id}`)
      .set({ 'If-Match': etag, Prefer: prefer, Accept: accept })
      .send('{"balance_minor_units":2}')
      .expect(200);
    const body = bodyOf(id);
    expect(response.text).toBe(body);
    expect(response.headers['preference-applied']).toBe(body === '' ? undefined : 'return=representation');
    expect(response.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
  });

  it('answers the representation that If-Match names, and none to a token that may not read', async () => {
    const { id } = await accounts.create({ balance: 1n });
    const v2 = 'application/vnd.meridian.account.v2+json';
    const read = await accounts.client().get(`/accounts/${id}`).set('Accept', v2).expect(200);
    const response = await accounts
      .client()
      .put(`/accounts/${id}`)
      .set({ 'If-Match': read.headers['etag'] ?? '', Prefer: 'return=representation' })
      .send('{"balance_minor_units":2}')
      .expect(200);
    expect(response.headers['content-type']).toBe(v2);
    expect(response.text).toContain('"available":{"minor_units":"2"}');
    const blind = await accounts
      .client({ scopes: ['accounts:write'] })
      .put(`/accounts/${id}`)
      .set({ 'If-Match': response.headers['etag'] ?? '', Prefer: 'return=representation' })
      .send('{"balance_minor_units":3}')
      .expect(200);
    expect(blind.text).toBe('');
  });

  it('raises the revision by exactly 1', async () => {
    const { id, etag } = await accounts.create({});
    await accounts.put(id, etag, 2).expect(200);
    expect(await accounts.revisionOf(id)).toBe(2n);
  });

  it('takes the identifier from the path, whatever the body says', async () => {
    const { id, etag } = await accounts.create({});
    await accounts
      .client()
      .put(`/accounts/${id}`)
      .set('If-Match', etag)
      .send('{"id":"another","balance_minor_units":7}')
      .expect(200);
    await accounts.client().get('/accounts/another').expect(404);
  });

  it.each([undefined, ''])(
    'answers 428 if-match-required when If-Match is %p, before it looks at the body',
    async (ifMatch) => {
      const { id } = await accounts.create({});
      const request = accounts.client().put(`/accounts/${id}`);
      if (ifMatch !== undefined) {
        request.set('If-Match', ifMatch);
      }

      const response = await request.send('not json').expect(428);

      expect(response.text).toContain('/problems/if-match-required');
    },
  );

  it.each([
    '',
    'not json',
    '[]',
    'null',
    '{}',
    '{"balance_minor_units":"1"}',
    '{"balance_minor_units":null}',
    '{"balance_minor_units":1.0}',
    '{"balance_minor_units":1e3}',
    '{"balance_minor_units":-0}',
    '{"balance_minor_units":01}',
    '{"balance_minor_units":9223372036854775808}',
    '{"balance_minor_units":-9223372036854775809}',
    '{"balance_minor_units":1,"balance_minor_units":1}',
    '{"balance_minor_units":1,"balance_minor_unit\\u0073":1}',
    '{"balance_minor_units":1,"unknown":2}',
    '{"balance_minor_units":1,"__proto__":{}}',
    '{"balance_minor_units":1,"id":5}',
    '\uFEFF{"balance_minor_units":1}',
    '{"balance_minor_units":1} x',
  ])('answers 400 malformed-body to the body %s', async (body) => {
    const { id, etag } = await accounts.create({});
    const response = await accounts
      .client()
      .put(`/accounts/${id}`)
      .set('Content-Type', 'application/json')
      .set('If-Match', etag)
      .send(body)
      .expect(400);
    expect(response.text).toContain('/problems/malformed-body');
    expect(await accounts.revisionOf(id)).toBe(1n);
  });

  it('reads a body of exactly 1 MiB and answers 400 malformed-body to one byte more', async () => {
    const { id, etag } = await accounts.create({});

    const over = await accounts
      .client()
      .put(`/accounts/${id}`)
      .set('If-Match', etag)
      .send(bodyOf(1_048_577))
      .expect(400);
    expect(over.text).toContain('/problems/malformed-body');
    await accounts.client().put(`/accounts/${id}`).set('If-Match', etag).send(bodyOf(1_048_576)).expect(200);
  });

  it('answers 415 unsupported-media-type to a body declared as something else, and to a compressed one', async () => {
    const { id, etag } = await accounts.create({});
    const put = () => accounts.client().put(`/accounts/${id}`).set('If-Match', etag);
    await put().set('Content-Type', 'text/plain').send('{"balance_minor_units":2}').expect(415);
    await put()
      .set('Content-Encoding', 'gzip')
      .send('{"balance_minor_units":2}')
      .expect(415)
      .expect('Accept-Encoding', 'identity');
  });

  it('answers 404 account-not-found when there is no such account', async () => {
    const response = await accounts
      .client()
      .put('/accounts/none')
      .set('If-Match', '"x"')
      .send('{"balance_minor_units":2}')
      .expect(404);
    expect(response.text).toContain('/problems/account-not-found');
  });

  it('answers 400 before it looks the account up', async () => {
    await accounts.client().put('/accounts/none').set('If-Match', '"x"').send('{').expect(400);
  });

  it.each([
    ['"stale"', 'has changed'],
    ['*', 'takes one ETag'],
    ['W/$etag', 'takes one ETag'],
    ['$etag, $etag', 'takes one ETag'],
    ['unquoted', 'takes one ETag'],
  ])('answers 412 stale-etag to If-Match %s', async (template, detail) => {
    const { id, etag } = await accounts.create({});
    const response = await accounts.put(id, template.replaceAll('$etag', etag), 2).expect(412);
    expect(JSON.parse(response.text)).toMatchObject({
      type: expect.stringMatching(/\/problems\/stale-etag$/),
      detail: expect.stringContaining(detail),
    });
    expect(await accounts.revisionOf(id)).toBe(1n);
  });

  it('answers 412 stale-etag to a tag that was written with already, and to the tag of another account', async () => {
    const [written, other] = [await accounts.create({}), await accounts.create({})];
    const put = (id: string, etag: string) => accounts.put(id, etag, 2);
    await put(other.id, written.etag).expect(412);
    await put(written.id, written.etag).expect(200);
    await put(written.id, written.etag).expect(412);
    expect(await accounts.revisionOf(written.id)).toBe(2n);
    expect(await accounts.revisionOf(other.id)).toBe(1n);
    await put(other.id, other.etag).expect(200);
  });

  it('answers 412 stale-etag to a tag from before the store was restored, at the same revision', async () => {
    const { id, etag } = await accounts.create({});
    await accounts.admin.query('select renew_store_epoch()');
    const put = (tag: string) => accounts.put(id, tag, 2);
    await put(etag).expect(412);
    expect(await accounts.revisionOf(id)).toBe(1n);

    const read = await accounts.client().get(`/accounts/${id}`).expect(200);
    await put(read.headers['etag'] ?? '').expect(200);
  });

  it('answers 404 account-not-found to the last tag of an account that is gone', async () => {
    const { id, etag } = await accounts.create({});
    await accounts.admin.query('delete from accounts where id = $1', [id]);
    const response = await accounts.put(id, etag, 2).expect(404);
    expect(response.text).toContain('/problems/account-not-found');
  });

  it('writes with the tag of its previous response, again and again; the ledger has each difference', async () => {
    const { id, etag } = await accounts.create({ balance: 9_223_372_036_854_775_807n });
    let tag = etag;
    for (const balance of ['-9223372036854775808', '5', '5', '-1']) {
      const response = await accounts.put(id, tag, balance).expect(200);
      tag = response.headers['etag'] ?? '';
    }
    const { rows } = await accounts.admin.query<{ amount: string }>(
      'select amount_minor_units::text as amount from ledger_entries where account_id = $1 order by id',
      [id],
    );
    expect(rows.map(({ amount }) => amount)).toEqual([
      '9223372036854775807',
      '-18446744073709551615',
      '9223372036854775813',
      '0',
      '-6',
    ]);
    expect(await accounts.revisionOf(id)).toBe(5n);
  });

  it('answers one 200 and 99 times 412 to 100 racing writers with one ETag', async () => {
    const { id, etag } = await accounts.create({ balance: 0n });

    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, writer) => {
        const response = await accounts.put(id, etag, writer + 1);
        return response.status;
      }),
    );

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(99);
    expect(await accounts.revisionOf(id)).toBe(2n);
  });

  it('answers 412 stale-etag when another writer commits between the check and the swap', async () => {
    const { id, etag } = await accounts.create({});
    // The row is locked by a writer that has not committed yet: the check reads the old revision, the swap waits.
    const other = await accounts.beginWrite(id);

    const response = accounts.put(id, etag, 2);
    const settled = response.then(({ status, text }) => ({ status, text }));
    await accounts.untilBlocked();
    await other.commit();

    expect(await settled).toEqual({ status: 412, text: expect.stringContaining('/problems/stale-etag') });
    expect(await accounts.revisionOf(id)).toBe(2n);
  });

  it('accepts and answers version 2', async () => {
    const { id } = await accounts.create({});
    const v2 = 'application/vnd.meridian.account.v2+json';
    const read = await accounts.client().get(`/accounts/${id}`).set('Accept', v2).expect(200);

    const written = await accounts
      .client()
      .put(`/accounts/${id}`)
      .set('Content-Type', v2)
      .set('If-Match', read.headers['etag'] ?? '')
      .send('{"balance":{"minor_units":"-9223372036854775808"}}')
      .expect(200);

    const reread = await accounts.client().get(`/accounts/${id}`).set('Accept', v2).expect(200);
    expect(reread.headers['etag']).toBe(written.headers['etag']);
    expect(JSON.parse(reread.text)).toMatchObject({ balance: { minor_units: '-9223372036854775808' } });
  });

  it("answers another tenant's account like an absent one", async () => {
    const { id, etag } = await accounts.create({ tenant: 'acme' });
    await accounts.put(id, etag, 2, { tenant: 'globex' }).expect(404);
    expect(await accounts.revisionOf(id)).toBe(1n);
  });
});

/** A body of that many bytes: white space may follow the value. */
function bodyOf(bytes: number): string {
  return '{"balance_minor_units":2}'.padEnd(bytes, ' ');
}
