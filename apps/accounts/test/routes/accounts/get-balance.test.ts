import { describe, expect, it } from '@jest/globals';

import { useAccounts } from '../../running-accounts.ts';

interface Balance {
  balance_minor_units: number;
  at: string;
}

describe('GET /accounts/:id/balance', () => {
  const accounts = useAccounts();

  const balanceOf = async (id: string, query = ''): Promise<Balance> =>
    JSON.parse((await accounts.client().get(`/accounts/${id}/balance${query}`).expect(200)).text) as Balance;

  async function put(id: string, balance: number): Promise<void> {
    const { headers } = await accounts.client().get(`/accounts/${id}`).expect(200);
    await accounts.put(id, headers['etag'] ?? '', balance).expect(200);
  }

  it('answers the balance after the last entry at or before the moment', async () => {
    const { id } = await accounts.create({ balance: 1n });
    for (const balance of [2, 3, 4]) {
      await put(id, balance);
    }
    const { text } = await accounts.client().get(`/accounts/${id}/entries`).expect(200);
    const { items } = JSON.parse(text) as {
      items: readonly { created_at: string; balance_minor_units: number }[];
    };
    for (const { created_at: at, balance_minor_units } of items) {
      for (const moment of [at, at.replace('Z', '%2B00:00')]) {
        expect(await balanceOf(id, `?at=${moment}`)).toEqual({ account_id: id, balance_minor_units, at });
      }
    }
  });

  it('answers the balance now, without a moment', async () => {
    const { id } = await accounts.create({ balance: 7n });
    const before = new Date().toISOString();
    const { balance_minor_units: balance, at } = await balanceOf(id);
    expect(balance).toBe(7);
    expect(at > before.replace('Z', '')).toBe(true);
  });

  it('never changes an answer: a write that is under way is awaited, and is later than the moment', async () => {
    const { id } = await accounts.create({ balance: 1n });
    const write = await accounts.beginWrite(id);
    const { rows } = await accounts.admin.query<{ now: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
    );
    const moment = rows[0]?.now ?? '';
    const read = balanceOf(id, `?at=${moment}`);
    await accounts.untilBlocked();
    await accounts.admin.query(
      `insert into ledger_entries (tenant_id, account_id, amount_minor_units, balance_minor_units, created_at)
       values ('acme', $1, 5, 6, $2)`,
      [id, moment],
    );
    await accounts.admin.query('update accounts set last_entry_utc = $2 where id = $1', [id, moment]);
    await write.commit();
    expect((await read).balance_minor_units).toBe(6);
  });

  it('never changes an answer: a later write has a later time, even if it began before', async () => {
    const { id } = await accounts.create({ balance: 1n });
    const { headers } = await accounts.client().get(`/accounts/${id}`).expect(200);
    const { at } = await balanceOf(id);
    // As if the reader's clock were an hour ahead.
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await accounts.admin.query(
      `update accounts set last_entry_utc = case when last_entry_utc = $2 then $3::timestamp end where id = $1`,
      [id, at.replace('Z', ''), ahead.replace('Z', '')],
    );
    await accounts.put(id, headers['etag'] ?? '', 2).expect(200);
    const { rows } = await accounts.admin.query<{ isLater: boolean }>(
      `select created_at at time zone 'UTC' > $2::timestamp as "isLater" from ledger_entries
       where account_id = $1 and balance_minor_units = 2`,
      [id, ahead.replace('Z', '')],
    );
    expect(rows).toEqual([{ isLater: true }]);
  });

  it('answers 400 invalid-parameter for a moment in the future, and for what is none', async () => {
    const { id } = await accounts.create({});
    for (const at of [
      '9999-01-01T00:00:00Z',
      'yesterday',
      '2026-01-01T00:00:00.1234567Z',
      '2026-01-01T00:00:00%2B01:00',
    ]) {
      const response = await accounts.client().get(`/accounts/${id}/balance?at=${at}`).expect(400);
      expect(response.text).toContain('/problems/invalid-parameter');
    }
    await accounts.client().get(`/accounts/${id}/balance?as_of=2026-01-01T00:00:00Z`).expect(400);
  });

  it('answers 404 account-not-found for a moment before the account, and for no account', async () => {
    const { id } = await accounts.create({});
    for (const path of [`/accounts/${id}/balance?at=2001-01-01T00:00:00Z`, '/accounts/none/balance']) {
      const response = await accounts.client().get(path).expect(404);
      expect(response.text).toContain('/problems/account-not-found');
    }
    await accounts.client({ tenant: 'globex' }).get(`/accounts/${id}/balance`).expect(404);
  });
});
