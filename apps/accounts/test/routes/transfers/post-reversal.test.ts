import { describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

describe('POST /transfers/:id/reversals', () => {
  const accounts = useAccounts();

  const balanceOf = async (id: string) =>
    (await accounts.client().get(`/accounts/${id}`).expect(200)).text.replace(/.*:(-?\d+)}/, '$1');
  const read = async (path: string) => {
    const response = await accounts.client().get(path).expect(200);
    return { etag: response.headers['etag'] ?? '', transfer: JSON.parse(response.text) as object };
  };

  async function transferred(amount = 30) {
    const [from, to] = [await accounts.create({ balance: 100n }), await accounts.create({ balance: 0n })];
    const response = await accounts
      .post(`/accounts/${from.id}/transfers`, `{"to_account_id":"${to.id}","amount_minor_units":${amount}}`)
      .expect(201);
    const path = response.headers['location'] ?? '';
    return { from, to, path, id: path.slice('/transfers/'.length) };
  }

  it.each([
    ['with a reference', '{"reference":"wrong account"}', 'wrong account'],
    ['with an empty object', '{}', null],
    ['without a body', '', null],
  ])('moves the amount back and links both transfers, %s', async (_how, body, reference) => {
    const { from, to, path, id } = await transferred();
    const before = await read(path);
    const response = await accounts.post(`${path}/reversals`, body).expect(201);
    const reversalPath = response.headers['location'] ?? '';
    expect(JSON.parse(response.text)).toEqual({
      id: reversalPath.slice('/transfers/'.length),
      from_account_id: to.id,
      to_account_id: from.id,
      amount_minor_units: 30,
      reference,
      status: 'completed',
      reverses: id,
      reversed_by: null,
      created_at: expect.stringMatching(/\.\d{6}Z$/),
    });
    expect((await read(reversalPath)).transfer).toEqual(JSON.parse(response.text));
    const after = await read(path);
    expect(after.transfer).toEqual({
      ...before.transfer,
      reversed_by: reversalPath.slice('/transfers/'.length),
    });
    expect([await balanceOf(from.id), await balanceOf(to.id)]).toEqual(['100', '0']);
    // The transfer has changed, once.
    expect(after.etag).not.toBe(before.etag);
    await accounts.client().get(path).set('If-None-Match', before.etag).expect(200);
    await accounts.client().get(path).set('If-None-Match', after.etag).expect(304);
  });

  it('reverses a transfer once, however many ask at the same time', async () => {
    const { path, to } = await transferred();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await accounts.client().post(`${path}/reversals`)).status),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    expect(await balanceOf(to.id)).toBe('0');
    const again = await accounts.client().post(`${path}/reversals`).expect(409);
    expect(again.text).toContain('/problems/transfer-already-reversed');
  });

  it('answers 409 transfer-is-reversal to the reversal of a reversal', async () => {
    const { path } = await transferred();
    const { headers } = await accounts.client().post(`${path}/reversals`).expect(201);
    const response = await accounts.client().post(`${headers['location']}/reversals`).expect(409);
    expect(response.text).toContain('/problems/transfer-is-reversal');
  });

  it('answers 422 insufficient-funds when the money has gone on', async () => {
    const { path, to, from } = await transferred();
    await accounts
      .post(`/accounts/${to.id}/transfers`, `{"to_account_id":"${from.id}","amount_minor_units":1}`)
      .expect(201);
    const response = await accounts.client().post(`${path}/reversals`).expect(422);
    expect(response.text).toContain('/problems/insufficient-funds');
    expect((await read(path)).transfer).toMatchObject({ reversed_by: null });
  });

  it("answers 404 transfer-not-found for no transfer, and for another tenant's", async () => {
    const { path } = await transferred();
    for (const response of [
      await accounts.client().post('/transfers/none/reversals').expect(404),
      await accounts.client().post('/transfers/00000000-0000-7000-8000-000000000000/reversals').expect(404),
      await accounts.client({ tenant: 'globex' }).post(`${path}/reversals`).expect(404),
    ]) {
      expect(response.text).toContain('/problems/transfer-not-found');
    }
  });

  it('repeats its response to a repeated Idempotency-Key, and takes no unknown member', async () => {
    const { path } = await transferred();
    const send = () =>
      accounts.client().post(`${path}/reversals`).set('Idempotency-Key', `key-of-${path}`).send('{}');
    const first = await send().expect(201);
    const second = await send().expect(201);
    expect(second.text).toBe(first.text);
    await accounts.post(`${path}/reversals`, '{"amount_minor_units":1}').expect(400);
    await accounts
      .client({ scopes: ['accounts:read'] })
      .post(`${path}/reversals`)
      .expect(403);
  });
});
