import { describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

describe('POST /accounts', () => {
  const accounts = useAccounts();

  it('answers 201 with Location and ETag, and the account is read back under both', async () => {
    const response = await accounts
      .post('/accounts', '{"id":"savings","balance_minor_units":1250}')
      .expect(201);

    expect(response.headers['location']).toBe('/accounts/savings');
    const read = await accounts.client().get('/accounts/savings').expect(200);
    expect(read.headers['etag']).toBe(response.headers['etag']);
    expect(read.text).toBe('{"id":"savings","balance_minor_units":1250}');
  });

  it('answers with the ETag of the representation that Accept selects', async () => {
    const accept = { Accept: 'application/vnd.meridian.account.v2+json' };
    const body = '{"id":"selected","balance_minor_units":1250}';
    const created = await accounts.client().post('/accounts').set(accept).send(body).expect(201);
    const read = await accounts.client().get('/accounts/selected').set(accept).expect(200);
    expect(created.headers['etag']).toBe(read.headers['etag']);
    expect(created.text).toBe(read.text);
  });

  it('makes a UUIDv7 for an account without an identifier', async () => {
    const response = await accounts.post('/accounts', '{"balance_minor_units":0}').expect(201);
    expect(response.headers['location']).toMatch(
      /^\/accounts\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('answers 409 account-already-exists the second time, and leaves the first account as it was', async () => {
    await accounts.post('/accounts', '{"id":"twice","balance_minor_units":1}').expect(201);

    const response = await accounts.post('/accounts', '{"id":"twice","balance_minor_units":2}').expect(409);

    expect(response.text).toContain('/problems/account-already-exists');
    const read = await accounts.client().get('/accounts/twice').expect(200);
    expect(read.text).toContain('"balance_minor_units":1}');
  });

  it('answers one 201 and otherwise 409 to racing creations of one account', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const body = '{"id":"raced","balance_minor_units":1}';
        return (await accounts.post('/accounts', body)).status;
      }),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  it('lets two tenants have accounts of the same identifier, each invisible to the other', async () => {
    await accounts
      .post('/accounts', '{"id":"shared","balance_minor_units":1}', { tenant: 'acme' })
      .expect(201);
    await accounts
      .post('/accounts', '{"id":"shared","balance_minor_units":2}', { tenant: 'globex' })
      .expect(201);
    const [acme, globex] = await Promise.all(
      (['acme', 'globex'] as const).map((tenant) =>
        accounts.client({ tenant }).get('/accounts/shared').expect(200),
      ),
    );
    expect([acme?.text, globex?.text]).toEqual([
      '{"id":"shared","balance_minor_units":1}',
      '{"id":"shared","balance_minor_units":2}',
    ]);
    expect(acme?.headers['etag']).not.toBe(globex?.headers['etag']);
  });

  it.each(['""', '"a b"', '"a/b"', '"."', '".."', '"é"', `"${'x'.repeat(129)}"`, '7', 'null'])(
    'answers 400 malformed-body to the identifier %s',
    async (id) => {
      const response = await accounts.post('/accounts', `{"id":${id},"balance_minor_units":1}`).expect(400);
      expect(response.text).toContain('/problems/malformed-body');
    },
  );

  it('names the identifier as the fault when it would be lost from a path', async () => {
    const response = await accounts.post('/accounts', '{"id":"..","balance_minor_units":1}').expect(400);
    expect(response.body).toMatchObject({ detail: expect.stringMatching(/and neither "\." nor "\.\."/u) });
  });

  it('accepts version 2', async () => {
    await accounts
      .client()
      .post('/accounts')
      .set('Content-Type', 'application/vnd.meridian.account.v2+json')
      .send('{"id":"v2","balance":{"minor_units":"12"}}')
      .expect(201);
    const read = await accounts.client().get('/accounts/v2').expect(200);
    expect(read.text).toBe('{"id":"v2","balance_minor_units":12}');
  });
});
