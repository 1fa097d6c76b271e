import { beforeAll, describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

interface Page {
  items: {
    id: string;
    from_account_id: string;
    to_account_id: string;
    reference: string | null;
    created_at: string;
  }[];
  next_cursor: string | null;
}

describe('GET /transfers', () => {
  const accounts = useAccounts();
  let ids: string[];
  beforeAll(async () => {
    ids = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await accounts.create({ balance: 1_000n })).id);
    }
    for (let count = 0; count < 24; count += 1) {
      const reference = count % 3 === 0 ? ',"reference":"rent & co."' : '';
      const body = `{"to_account_id":"${ids[(count + 1) % 3]}","amount_minor_units":${count + 1}${reference}}`;
      await accounts.post(`/accounts/${ids[count % 3]}/transfers`, body).expect(201);
    }
  });

  async function walk(query: string) {
    const items: Page['items'] = [];
    for (let next: string | null = `/transfers?${query}`; next !== null;) {
      const page = JSON.parse((await accounts.client().get(next).expect(200)).text) as Page;
      items.push(...page.items);
      next = page.next_cursor === null ? null : `/transfers?${query}&cursor=${page.next_cursor}`;
    }
    return items;
  }

  it('walks through all transfers, newest first, each once', async () => {
    const items = await walk('limit=5');
    expect(items.map((item) => item.id)).toEqual(
      items.map((item) => item.id).toSorted((one, other) => (one < other ? 1 : -1)),
    );
    expect(new Set(items.map((item) => item.id)).size).toBe(24);
  });

  it('filters by account_id: transfers from the account and to it', async () => {
    const all = await walk('limit=100');
    const filtered = await walk(`limit=5&account_id=${ids[0]}`);
    expect(filtered).toEqual(
      all.filter(({ from_account_id: from, to_account_id: to }) => from === ids[0] || to === ids[0]),
    );
    expect(filtered).toHaveLength(16);
  });

  it('filters by direction, as the account sees it', async () => {
    const all = await walk(`limit=100&account_id=${ids[0]}`);
    expect(await walk(`limit=3&account_id=${ids[0]}&direction=in`)).toEqual(
      all.filter(({ to_account_id: to }) => to === ids[0]),
    );
    expect(await walk(`limit=3&account_id=${ids[0]}&direction=out`)).toEqual(
      all.filter(({ from_account_id: from }) => from === ids[0]),
    );
    for (const query of ['direction=in', `account_id=${ids[0]}&direction=both`]) {
      const response = await accounts.client().get(`/transfers?${query}`).expect(400);
      expect(response.text).toContain('/problems/invalid-parameter');
    }
  });

  it('filters by reference, exactly, alone and with an account', async () => {
    const all = await walk('limit=100');
    const ofReference = all.filter(({ reference }) => reference === 'rent & co.');
    expect(ofReference).toHaveLength(8);
    expect(await walk('limit=3&reference=rent%20%26%20co.')).toEqual(ofReference);
    expect(await walk(`limit=3&reference=rent%20%26%20co.&account_id=${ids[1]}`)).toEqual(
      ofReference.filter(({ from_account_id: from, to_account_id: to }) => from === ids[1] || to === ids[1]),
    );
    for (const reference of ['rent', 'Rent%20%26%20co.', '', '%00']) {
      expect(await walk(`reference=${reference}`)).toEqual([]);
    }
  });

  it('filters by creation: from a moment on, and before another', async () => {
    const all = await walk('limit=100');
    const [newer, older] = [all[3], all[9]];
    expect(
      await walk(`limit=4&created_after=${older?.created_at}&created_before=${newer?.created_at}`),
    ).toEqual(all.slice(4, 10));
  });

  it.each(['none', '%00', ''])(
    'answers an empty page for account_id=%s, which no account has',
    async (accountId) => {
      const response = await accounts.client().get(`/transfers?account_id=${accountId}`).expect(200);
      expect(response.text).toBe('{"items":[],"next_cursor":null}');
    },
  );

  it('shows a tenant only its own transfers', async () => {
    const response = await accounts.client({ tenant: 'globex' }).get('/transfers').expect(200);
    expect(response.text).toBe('{"items":[],"next_cursor":null}');
  });
});

describe('GET /transfers/:id', () => {
  const accounts = useAccounts();

  it.each(['none', '00000000-0000-7000-8000-000000000000', '%00'])(
    'answers 404 transfer-not-found for %s',
    async (id) => {
      const response = await accounts.client().get(`/transfers/${id}`).expect(404);
      expect(response.text).toContain('/problems/transfer-not-found');
    },
  );

  it("answers another tenant's transfer like an absent one", async () => {
    const [from, to] = [await accounts.create({}), await accounts.create({})];
    const made = await accounts
      .post(`/accounts/${from.id}/transfers`, `{"to_account_id":"${to.id}","amount_minor_units":1}`)
      .expect(201);
    await accounts.get(made.headers['location'] ?? '', { tenant: 'globex' }).expect(404);
  });
});
