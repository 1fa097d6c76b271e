import { afterEach, describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

describe('POST /accounts/:id/transfers', () => {
  const accounts = useAccounts();
  // Whatever a test did, the books balance.
  afterEach(async () => {
    const { rows } = await accounts.admin.query(
      'select coalesce(sum(amount_minor_units), 0)::text as total from ledger_entries',
    );
    expect(rows).toEqual([{ total: '0' }]);
    const { rows: wrongBalances } = await accounts.admin.query(
      `select a.tenant_id, a.id from accounts a
       left join ledger_entries l on l.tenant_id = a.tenant_id and l.account_id = a.id
       group by a.tenant_id, a.id, a.balance_minor_units
       having a.balance_minor_units is distinct from sum(l.amount_minor_units)`,
    );
    expect(wrongBalances).toEqual([]);
  });

  const transfer = (from: string, body: string) => accounts.post(`/accounts/${from}/transfers`, body);
  const balanceOf = async (id: string) =>
    (await accounts.client().get(`/accounts/${id}`).expect(200)).text.replace(/.*:(-?\d+)}/, '$1');

  it('answers 201 with Location, and the transfer is read back there', async () => {
    const [from, to] = [await accounts.create({ balance: 100n }), await accounts.create({ balance: 1n })];

    const response = await transfer(
      from.id,
      `{"to_account_id":"${to.id}","amount_minor_units":30,"reference":"rent"}`,
    ).expect(201);

    expect(response.headers['location']).toMatch(/^\/transfers\/[0-9a-f-]{36}$/);
    const read = await accounts.get(response.headers['location'] ?? '').expect(200);
    expect(JSON.parse(read.text)).toEqual({
      id: response.headers['location']?.slice('/transfers/'.length),
      from_account_id: from.id,
      to_account_id: to.id,
      amount_minor_units: 30,
      reference: 'rent',
      status: 'completed',
      reverses: null,
      reversed_by: null,
      created_at: expect.stringMatching(/\.\d{6}Z$/),
    });
    expect(read.text).toBe(response.text);
    expect([await balanceOf(from.id), await balanceOf(to.id)]).toEqual(['70', '31']);
  });

  it('raises the revisions of both accounts by exactly 1, so that both ETags change', async () => {
    const [from, to] = [await accounts.create({}), await accounts.create({})];
    await transfer(from.id, `{"to_account_id":"${to.id}","amount_minor_units":1}`).expect(201);
    expect([await accounts.revisionOf(from.id), await accounts.revisionOf(to.id)]).toEqual([2n, 2n]);
    await accounts.client().get(`/accounts/${from.id}`).set('If-None-Match', from.etag).expect(200);
  });

  it('moves amounts digit for digit', async () => {
    const all = 2n ** 63n - 1n;
    const [from, to] = [await accounts.create({ balance: all }), await accounts.create({ balance: 0n })];
    const response = await transfer(
      from.id,
      `{"to_account_id":"${to.id}","amount_minor_units":${all}}`,
    ).expect(201);
    expect(response.text).toContain(`"amount_minor_units":${all},`);
    expect([await balanceOf(from.id), await balanceOf(to.id)]).toEqual(['0', String(all)]);
  });

  it.each([
    [
      'insufficient-funds',
      (_from: string, to: string) => `{"to_account_id":"${to}","amount_minor_units":101}`,
    ],
    ['same-account', (from: string) => `{"to_account_id":"${from}","amount_minor_units":1}`],
    ['unknown-destination', () => '{"to_account_id":"none","amount_minor_units":1}'],
    ['unknown-destination', () => '{"to_account_id":"\\u0000","amount_minor_units":1}'],
  ])('answers 422 %s and moves nothing', async (kind, body) => {
    const [from, to] = [await accounts.create({ balance: 100n }), await accounts.create({ balance: 100n })];
    const response = await transfer(from.id, body(from.id, to.id)).expect(422);
    expect(response.text).toContain(`/problems/${kind}`);
    expect([await accounts.revisionOf(from.id), await accounts.revisionOf(to.id)]).toEqual([1n, 1n]);
  });

  it.each([
    ['"none"', 'There is no account "none" to transfer to.'],
    [`"${'a'.repeat(100_000)}"`, 'The value of to_account_id is not the identifier of an account.'],
  ])('names the unknown account, unless its identifier is impossible', async (to, detail) => {
    const from = await accounts.create({ balance: 100n });
    const response = await transfer(from.id, `{"to_account_id":${to},"amount_minor_units":1}`).expect(422);
    expect(JSON.parse(response.text)).toMatchObject({ detail });
  });

  it('answers 422 balance-overflow when the destination would not fit 64 bits', async () => {
    const [from, to] = [await accounts.create({}), await accounts.create({ balance: 2n ** 63n - 1n })];
    const response = await transfer(from.id, `{"to_account_id":"${to.id}","amount_minor_units":1}`).expect(
      422,
    );
    expect(response.text).toContain('/problems/balance-overflow');
  });

  it("answers 404 account-not-found for an unknown source, and for another tenant's", async () => {
    const foreign = await accounts.create({ tenant: 'globex' });
    for (const id of ['none', foreign.id]) {
      const response = await transfer(id, '{"to_account_id":"x","amount_minor_units":1}').expect(404);
      expect(response.text).toContain('/problems/account-not-found');
    }
  });

  it.each([
    '{}',
    '{"to_account_id":"x"}',
    '{"to_account_id":1,"amount_minor_units":1}',
    '{"to_account_id":"x","amount_minor_units":0}',
    '{"to_account_id":"x","amount_minor_units":-1}',
    '{"to_account_id":"x","amount_minor_units":1.0}',
    '{"to_account_id":"x","amount_minor_units":1,"reference":7}',
    '{"to_account_id":"x","amount_minor_units":1,"reference":"\\u0000"}',
    `{"to_account_id":"x","amount_minor_units":1,"reference":"${'x'.repeat(256)}"}`,
    '{"to_account_id":"x","amount_minor_units":1,"status":"completed"}',
  ])('answers 400 malformed-body to %s', async (body) => {
    const { id } = await accounts.create({});
    const response = await transfer(id, body).expect(400);
    expect(response.text).toContain('/problems/malformed-body');
  });

  it('answers 403 without the scope transfers:write', async () => {
    const client = accounts.client({ scopes: ['accounts:write'] });
    await client.post('/accounts/a/transfers').send('{}').expect(403);
  });

  it('completes crossing transfers without a deadlock, and no money is lost', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push((await accounts.create({ balance: 1_000n })).id);
    }

    const statuses = await Promise.all(
      Array.from({ length: 80 }, async (_, index) => {
        const [from = '', to = ''] = [ids[index % 4], ids[(index * 3 + 1) % 4]];
        if (from === to) {
          return 201;
        }
        return (await transfer(from, `{"to_account_id":"${to}","amount_minor_units":7}`)).status;
      }),
    );

    expect(new Set(statuses)).toEqual(new Set([201]));
    const balances = await Promise.all(ids.map(balanceOf));
    expect(balances.reduce((sum, balance) => sum + BigInt(balance), 0n)).toBe(4_000n);
  });

  it('records an opening balance and the changes of a PUT as adjustments, up to 65 bits', async () => {
    const { id, etag } = await accounts.create({ balance: 2n ** 63n - 1n });
    await accounts.put(id, etag, -(2n ** 63n)).expect(200);
    const { rows } = await accounts.admin.query<{ amount: string }>(
      'select amount_minor_units::text as amount from ledger_entries where account_id = $1 order by id',
      [id],
    );
    expect(rows.map(({ amount }) => amount)).toEqual(['9223372036854775807', '-18446744073709551615']);
  });
});
