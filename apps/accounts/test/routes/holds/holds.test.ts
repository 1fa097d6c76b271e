import { describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

const v2 = 'application/vnd.meridian.account.v2+json';

interface Hold {
  id: string;
  status: string;
  captured_minor_units: number;
  expires_at: string;
}

describe('Holds', () => {
  const accounts = useAccounts();

  const send = (path: string, body = '') => accounts.client().post(path).send(body);
  const readV2 = async (id: string) => {
    const response = await accounts.client().get(`/accounts/${id}`).set('Accept', v2).expect(200);
    const account = JSON.parse(response.text) as {
      balance: { minor_units: string };
      available: { minor_units: string };
    };
    return {
      etag: response.headers['etag'] ?? '',
      balance: account.balance.minor_units,
      available: account.available.minor_units,
    };
  };
  const readHold = async (path: string) =>
    JSON.parse((await accounts.client().get(path).expect(200)).text) as Hold;

  async function held(
    amount: number,
    { balance = 100n, body = '' }: { balance?: bigint; body?: string } = {},
  ) {
    const account = await accounts.create({ balance });
    const response = await send(
      `/accounts/${account.id}/holds`,
      `{"amount_minor_units":${amount}${body}}`,
    ).expect(201);
    return { account, path: response.headers['location'] ?? '', hold: JSON.parse(response.text) as Hold };
  }

  /** As if that much time had passed since the hold was made. */
  const expire = (path: string) =>
    accounts.admin.query(`update holds set expires_at = $2 where id = $1`, [
      path.slice('/holds/'.length),
      new Date().toISOString(),
    ]);

  it('reserves an amount: less is available, the revision rises by 1, the balance stays', async () => {
    const { account, path, hold } = await held(30, { body: ',"reference":"deposit"' });
    expect(hold).toEqual({
      id: path.slice('/holds/'.length),
      account_id: account.id,
      amount_minor_units: 30,
      captured_minor_units: 0,
      status: 'pending',
      expires_at: expect.stringMatching(/\.\d{6}Z$/),
      reference: 'deposit',
      created_at: expect.stringMatching(/\.\d{6}Z$/),
    });
    expect(await readHold(path)).toEqual(hold);
    expect(await readV2(account.id)).toMatchObject({ balance: '100', available: '70' });
    expect(await accounts.revisionOf(account.id)).toBe(2n);
    expect((await accounts.client().get(`/accounts/${account.id}`).expect(200)).text).toBe(
      `{"id":"${account.id}","balance_minor_units":100}`,
    );
    const days = (Date.parse(hold.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
  });

  it('counts for transfers, holds and reversals, and not for PUT', async () => {
    const { account } = await held(70);
    const other = await accounts.create({ balance: 0n });
    const transfer = (amount: number) =>
      send(
        `/accounts/${account.id}/transfers`,
        `{"to_account_id":"${other.id}","amount_minor_units":${amount}}`,
      );
    expect((await transfer(31).expect(422)).text).toContain('/problems/insufficient-funds');
    await transfer(30).expect(201);
    expect(
      (await send(`/accounts/${account.id}/holds`, '{"amount_minor_units":1}').expect(422)).text,
    ).toContain('/problems/insufficient-funds');
    const { etag } = await readV2(account.id);
    await accounts.put(account.id, etag, -9223372036854775808n).expect(200);
    expect((await readV2(account.id)).available).toBe('-9223372036854775878');
  });

  it.each([
    ['all of it', '', 30, '70'],
    ['a part of it, and the rest is released', ',"amount_minor_units":10', 10, '90'],
  ])('is captured: %s', async (_what, member, amount, left) => {
    const { account, path } = await held(30, { body: ',"reference":"deposit"' });
    const other = await accounts.create({ balance: 0n });
    const response = await send(`${path}/captures`, `{"to_account_id":"${other.id}"${member}}`).expect(201);
    expect(response.headers['location']).toMatch(/^\/transfers\//);
    expect(JSON.parse(response.text)).toMatchObject({
      from_account_id: account.id,
      to_account_id: other.id,
      amount_minor_units: amount,
      reference: 'deposit',
    });
    expect(await readHold(path)).toMatchObject({ status: 'captured', captured_minor_units: amount });
    expect(await readV2(account.id)).toMatchObject({ balance: left, available: left });
    expect(await readV2(other.id)).toMatchObject({ balance: String(amount) });
    expect(await accounts.revisionOf(account.id)).toBe(3n);
    const again = await send(`${path}/captures`, `{"to_account_id":"${other.id}"}`).expect(409);
    expect(again.text).toContain('/problems/hold-not-pending');
  });

  it('is captured even where all of the balance is held', async () => {
    const { path } = await held(100);
    const other = await accounts.create({ balance: 0n });
    await send(`${path}/captures`, `{"to_account_id":"${other.id}"}`).expect(201);
  });

  it.each([
    [
      'more than it holds',
      (_self: string, other: string) => `{"to_account_id":"${other}","amount_minor_units":31}`,
      422,
    ],
    ['to its own account', (self: string) => `{"to_account_id":"${self}"}`, 422],
    ['to no account', () => '{"to_account_id":"none"}', 422],
    [
      'an amount of 0',
      (_self: string, other: string) => `{"to_account_id":"${other}","amount_minor_units":0}`,
      400,
    ],
  ])('is not captured %s, and stays pending', async (_what, bodyOf, status) => {
    const { account, path } = await held(30);
    const other = await accounts.create({ balance: 0n });
    await send(`${path}/captures`, bodyOf(account.id, other.id)).expect(status);
    expect(await readHold(path)).toMatchObject({ status: 'pending', captured_minor_units: 0 });
    expect((await readV2(account.id)).available).toBe('70');
  });

  it('is captured or released once, however many try at the same time', async () => {
    const { account, path } = await held(30);
    const other = await accounts.create({ balance: 0n });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? send(`${path}/captures`, `{"to_account_id":"${other.id}"}`)
          : send(`${path}/releases`),
      ),
    );
    const statuses = responses.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    const { balance, available } = await readV2(account.id);
    expect(available).toBe(balance);
    expect(await accounts.revisionOf(account.id)).toBe(3n);
  });

  it('is released: what it held is available again, and the revision rises by 1', async () => {
    const { account, path } = await held(30);
    const response = await send(`${path}/releases`).expect(201);
    expect(response.headers['location']).toBe(path);
    expect(JSON.parse(response.text)).toMatchObject({ status: 'released', captured_minor_units: 0 });
    expect(await readHold(path)).toMatchObject({ status: 'released' });
    expect((await readV2(account.id)).available).toBe('100');
    expect(await accounts.revisionOf(account.id)).toBe(3n);
    expect((await send(`${path}/releases`).expect(409)).text).toContain('/problems/hold-not-pending');
  });

  it('changes the ETag of version 2 when it expires, also beside another hold', async () => {
    const { account, path } = await held(30);
    await send(`/accounts/${account.id}/holds`, '{"amount_minor_units":20}').expect(201);
    const before = await readV2(account.id);
    await expire(path);
    const after = await readV2(account.id);
    expect([before.available, after.available]).toEqual(['50', '80']);
    expect(after.etag).not.toBe(before.etag);
  });

  it('expires by the clock of the store, without a process, a write or a revision', async () => {
    const { account, path } = await held(30);
    const before = await readV2(account.id);
    await expire(path);
    expect(await readHold(path)).toMatchObject({ status: 'expired' });
    const after = await readV2(account.id);
    expect(after.available).toBe('100');
    expect(after.etag).not.toBe(before.etag);
    expect(await accounts.revisionOf(account.id)).toBe(2n);
    const other = await accounts.create({ balance: 0n });
    await send(`${path}/captures`, `{"to_account_id":"${other.id}"}`).expect(409);
    await send(`${path}/releases`).expect(409);
    await send(
      `/accounts/${account.id}/transfers`,
      `{"to_account_id":"${other.id}","amount_minor_units":100}`,
    ).expect(201);
  });

  it('takes a time of expiry of its own, in the future and within 90 days', async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const { hold } = await held(1, { body: `,"expires_at":"${at(89).replace('Z', '+00:00')}"` });
    expect(Date.parse(hold.expires_at)).toBeGreaterThan(Date.now() + 88 * 86_400_000);
    const { id } = await accounts.create({});
    for (const expiresAt of [
      `"${at(-1)}"`,
      `"${at(91)}"`,
      '"2026-02-30T00:00:00Z"',
      '"tomorrow"',
      'null',
      '7',
    ]) {
      const response = await send(
        `/accounts/${id}/holds`,
        `{"amount_minor_units":1,"expires_at":${expiresAt}}`,
      ).expect(400);
      expect(response.text).toContain('/problems/malformed-body');
      expect(response.text).toContain('expires_at');
    }
  });

  it("lists an account's holds, newest first, and the holds of a status", async () => {
    const { id } = await accounts.create({ balance: 100n });
    const other = await accounts.create({ balance: 0n });
    const paths: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const response = await send(`/accounts/${id}/holds`, '{"amount_minor_units":5}').expect(201);
      paths.push(response.headers['location'] ?? '');
    }
    const [captured = '', released = '', expired = '', pending = ''] = paths;
    await send(`${captured}/captures`, `{"to_account_id":"${other.id}"}`).expect(201);
    await send(`${released}/releases`).expect(201);
    await expire(expired);
    const list = async (query: string) => {
      const response = await accounts.client().get(`/accounts/${id}/holds?${query}`).expect(200);
      const page = JSON.parse(response.text) as { items: Hold[]; next_cursor: string | null };
      return { paths: page.items.map((hold) => `/holds/${hold.id}`), next: page.next_cursor };
    };
    expect((await list('')).paths).toEqual(paths.toReversed());
    for (const [status, path] of Object.entries({ captured, released, expired, pending })) {
      expect((await list(`status=${status}`)).paths).toEqual([path]);
    }
    const first = await list('limit=3');
    expect((await list(`limit=3&cursor=${first.next}`)).paths).toEqual([captured]);
    await accounts.client().get(`/accounts/${id}/holds?status=open`).expect(400);
    await accounts.client().get('/accounts/none/holds').expect(404);
    expect((await accounts.client().get(`/accounts/${other.id}/holds`).expect(200)).text).toBe(
      '{"items":[],"next_cursor":null}',
    );
  });

  it("is of its tenant alone: another one's is absent", async () => {
    const { account, path } = await held(30);
    const stranger = accounts.client({ tenant: 'globex' });
    for (const response of [
      await stranger.get(path).expect(404),
      await stranger.post(`${path}/captures`).send(`{"to_account_id":"${account.id}"}`).expect(404),
      await stranger.post(`${path}/releases`).expect(404),
    ]) {
      expect(response.text).toContain('/problems/hold-not-found');
    }
    await stranger.get(`/accounts/${account.id}/holds`).expect(404);
    await stranger.post(`/accounts/${account.id}/holds`).send('{"amount_minor_units":1}').expect(404);
  });

  it('never holds more than there is, however many try at the same time', async () => {
    const { id } = await accounts.create({ balance: 100n });
    const other = await accounts.create({ balance: 0n });
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0
          ? send(`/accounts/${id}/holds`, '{"amount_minor_units":9}')
          : send(`/accounts/${id}/transfers`, `{"to_account_id":"${other.id}","amount_minor_units":9}`),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(11);
    expect((await readV2(id)).available).toBe('1');
  });
});
