import { describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

describe('GET /accounts/:id', () => {
  const accounts = useAccounts();

  it('answers 200 with the account, its ETag and Cache-Control', async () => {
    const { id, etag } = await accounts.create({ balance: 1250n });

    const response = await accounts.client().get(`/accounts/${id}`).expect(200);

    expect(response.text).toBe(`{"id":"${id}","balance_minor_units":1250}`);
    expect(response.headers).toMatchObject({
      etag,
      'cache-control': 'private, max-age=0, must-revalidate',
      'content-type': 'application/json',
      vary: 'Accept',
    });
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
  });

  it('answers 304 without a body when If-None-Match equals the ETag', async () => {
    const { id, etag } = await accounts.create({});

    const response = await accounts.client().get(`/accounts/${id}`).set('If-None-Match', etag).expect(304);

    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({ etag, 'cache-control': 'private, max-age=0, must-revalidate' });
    expect(response.headers).not.toHaveProperty('content-type');
  });

  it.each(['*', '"another"', 'W/$etag', '$etag, "another"', '"another", $etag'])(
    'answers 200 to If-None-Match %s, which is not the ETag as one exact string',
    async (template) => {
      const { id, etag } = await accounts.create({});

      const response = await accounts
        .client()
        .get(`/accounts/${id}`)
        .set('If-None-Match', template.replace('$etag', etag))
        .expect(200);

      expect(response.text).toContain(id);
    },
  );

  it('answers 304 also with Cache-Control: no-cache', async () => {
    const { id, etag } = await accounts.create({});
    await accounts
      .client()
      .get(`/accounts/${id}`)
      .set('Cache-Control', 'no-cache')
      .set('If-None-Match', etag)
      .expect(304);
  });

  it('answers 404 account-not-found for an account that does not exist', async () => {
    const response = await accounts.client().get('/accounts/none').expect(404);

    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(response.text)).toEqual({
      type: 'https://meridian.example/problems/account-not-found',
      status: 404,
      detail: expect.any(String),
    });
  });

  it.each(['..%2f..', '%20', 'a%00', 'é', 'x'.repeat(129)])(
    'answers 404 to the impossible identifier %s',
    async (id) => {
      await accounts.client().get(`/accounts/${id}`).expect(404);
    },
  );

  it("answers another tenant's account exactly like an absent one", async () => {
    const { id } = await accounts.create({ tenant: 'acme' });

    const foreign = await accounts.client({ tenant: 'globex' }).get(`/accounts/${id}`).expect(404);
    const absent = await accounts.client({ tenant: 'globex' }).get('/accounts/none').expect(404);

    expect(foreign.text.replace(id, 'none')).toBe(absent.text);
  });

  it.each([0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)])(
    'keeps the balance %s digit for digit',
    async (balance) => {
      const { id } = await accounts.create({ balance });
      const response = await accounts.client().get(`/accounts/${id}`).expect(200);
      expect(response.text).toBe(`{"id":"${id}","balance_minor_units":${balance}}`);
    },
  );

  it('writes the balance of version 2 as a string, under an ETag of its own', async () => {
    const { id, etag } = await accounts.create({ balance: 2n ** 63n - 1n });
    const v2 = 'application/vnd.meridian.account.v2+json';

    const response = await accounts.client().get(`/accounts/${id}`).set('Accept', v2).expect(200);

    expect(response.headers['content-type']).toBe(v2);
    expect(JSON.parse(response.text)).toEqual({
      id,
      balance: { minor_units: '9223372036854775807' },
      available: { minor_units: '9223372036854775807' },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
    expect(response.headers['etag']).not.toBe(etag);
    await accounts
      .client()
      .get(`/accounts/${id}`)
      .set('If-None-Match', response.headers['etag'] ?? '')
      .expect(200);
  });

  it('gives the default representation and version 1 the same ETag', async () => {
    const { id, etag } = await accounts.create({});
    const v1 = 'application/vnd.meridian.account.v1+json';
    const response = await accounts.client().get(`/accounts/${id}`).set('Accept', v1).expect(200);
    expect(response.headers).toMatchObject({ etag, 'content-type': v1 });
  });

  it('answers 406 not-acceptable with Vary when it has no acceptable representation', async () => {
    const { id } = await accounts.create({});
    const response = await accounts.client().get(`/accounts/${id}`).set('Accept', 'text/html').expect(406);
    expect(response.text).toContain('/problems/not-acceptable');
    expect(response.headers['vary']).toBe('Accept');
  });

  it('changes the ETag whenever the revision changes, also when the balance does not', async () => {
    const { id, etag } = await accounts.create({ balance: 5n });
    await accounts.put(id, etag, 5).expect(200);
    const response = await accounts.client().get(`/accounts/${id}`).expect(200);
    expect(response.headers['etag']).not.toBe(etag);
  });

  it('never serializes the revision', async () => {
    const { id } = await accounts.create({});
    const response = await accounts.client().get(`/accounts/${id}`).expect(200);
    expect(Object.keys(JSON.parse(response.text) as object)).toEqual(['id', 'balance_minor_units']);
  });
});

describe('HEAD /accounts/:id', () => {
  const accounts = useAccounts();

  it("answers with GET's header fields and no body", async () => {
    const { id } = await accounts.create({});
    const read = await accounts.client().get(`/accounts/${id}`).expect(200);
    const head = await accounts.client().head(`/accounts/${id}`).expect(200);

    for (const name of ['etag', 'cache-control', 'content-type', 'content-length', 'vary']) {
      expect([name, head.headers[name]]).toEqual([name, read.headers[name]]);
    }
    expect(head.text ?? '').toBe('');
  });

  it('answers 304 and 404 like GET', async () => {
    const { id, etag } = await accounts.create({});
    await accounts.client().head(`/accounts/${id}`).set('If-None-Match', etag).expect(304);
    await accounts.client().head('/accounts/none').expect(404);
  });
});
