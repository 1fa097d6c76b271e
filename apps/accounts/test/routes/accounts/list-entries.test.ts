import { describe, expect, it } from '@jest/globals';

import { publicId } from '../../../src/ledger/entry.ts';
import { useAccounts } from '../../running-accounts.ts';

interface Entry {
  id: string;
  kind: string;
  transfer_id: string | null;
  amount_minor_units: number;
  balance_minor_units: number;
  actor: { issuer: string; subject: string } | null;
  created_at: string;
}

describe('GET /accounts/:id/entries', () => {
  const accounts = useAccounts();

  async function entriesOf(id: string, limit = 100): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let cursor = ''; ;) {
      const response = await accounts.get(`/accounts/${id}/entries?limit=${limit}${cursor}`).expect(200);
      const page = JSON.parse(response.text) as { items: Entry[]; next_cursor: string | null };
      entries.push(...page.items);
      if (page.next_cursor === null) {
        return entries;
      }
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  /** An account with an opening, adjustments and transfers both ways. */
  async function withHistory(changes = 6) {
    const [account, other] = [
      await accounts.create({ balance: 100n }),
      await accounts.create({ balance: 100n }),
    ];
    let { etag } = account;
    for (let change = 0; change < changes; change += 1) {
      if (change % 3 === 0) {
        const current = await accounts.client().get(`/accounts/${account.id}`).expect(200);
        const written = await accounts
          .put(account.id, current.headers['etag'] ?? etag, 200 + change, { subject: 'bob' })
          .expect(200);
        etag = written.headers['etag'] ?? '';
      } else {
        const [from, to] = change % 3 === 1 ? [account, other] : [other, account];
        await accounts
          .post(
            `/accounts/${from.id}/transfers`,
            `{"to_account_id":"${to.id}","amount_minor_units":${change}}`,
          )
          .expect(201);
      }
    }
    return account;
  }

  it('shows each change with the balance after it, its kind and its actor, newest first', async () => {
    const { id } = await withHistory(3);
    const entries = await entriesOf(id);
    const alice = { issuer: expect.any(String), subject: 'alice' };
    expect(entries).toEqual([
      expect.objectContaining({
        kind: 'transfer',
        amount_minor_units: 2,
        balance_minor_units: 201,
        actor: alice,
      }),
      expect.objectContaining({
        kind: 'transfer',
        amount_minor_units: -1,
        balance_minor_units: 199,
        actor: alice,
      }),
      expect.objectContaining({
        kind: 'adjustment',
        transfer_id: null,
        amount_minor_units: 100,
        balance_minor_units: 200,
        actor: { issuer: expect.any(String), subject: 'bob' },
      }),
      expect.objectContaining({
        kind: 'opening',
        account_id: id,
        transfer_id: null,
        amount_minor_units: 100,
        balance_minor_units: 100,
        actor: alice,
      }),
    ]);
    for (const entry of entries.slice(0, 2)) {
      await accounts.client().get(`/transfers/${entry.transfer_id}`).expect(200);
    }
  });

  it('is read in pages, each entry once, with identifiers and times that descend and stay', async () => {
    const { id } = await withHistory(12);
    const entries = await entriesOf(id, 5);
    expect(entries).toHaveLength(13);
    expect(entries).toEqual(await entriesOf(id));
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(13);
    expect(entries.map((entry) => entry.created_at)).toEqual(
      entries
        .map((entry) => entry.created_at)
        .toSorted()
        .toReversed(),
    );
    expect(entries.map((entry) => entry.kind).indexOf('opening')).toBe(12);
    for (const entry of entries) {
      expect(entry.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('gives an entry the identifier that earlier releases gave it', () => {
    const entry = {
      id: 42n,
      transfer_id: null,
      is_first: true,
      amount_minor_units: '1',
      balance_minor_units: 1n,
      actor_issuer: null,
      actor_subject: null,
      created_at: '2026-11-21T02:15:00.123456Z',
    };
    expect(publicId('acme', 'savings', entry)).toBe('01a1fbe2-b11b-70ae-bb49-68e25b41a869');
  });

  it('fills the balances of entries from before they were recorded, in batches, as they are read', async () => {
    const { id } = await withHistory(30);
    const recorded = await entriesOf(id);
    await accounts.admin.query(
      'update ledger_entries set balance_minor_units = null, actor_issuer = null, actor_subject = null where account_id = $1',
      [id],
    );
    const expected = recorded.map((entry) => ({ ...entry, actor: null }));
    const oldest = recorded.at(-1)?.created_at;
    // One entry is filled, and the balance further back is still right.
    const [batch] = (
      await accounts.admin.query<{ left: string }>(`select fill_balances('acme', $1, 1) as left`, [id])
    ).rows;
    expect(batch?.left).toBe(String(recorded[1]?.balance_minor_units));
    const first = await accounts.client().get(`/accounts/${id}/balance?at=${oldest}`).expect(200);
    expect(first.text).toContain('"balance_minor_units":100,');
    expect(await entriesOf(id, 7)).toEqual(expected);
    const { rows } = await accounts.admin.query(
      'select from ledger_entries where account_id = $1 and balance_minor_units is null',
      [id],
    );
    expect(rows).toEqual([]);
  });

  it('answers exact amounts of 65 bits', async () => {
    const { id, etag } = await accounts.create({ balance: 9223372036854775807n });
    await accounts.put(id, etag, -9223372036854775808n).expect(200);
    const response = await accounts.client().get(`/accounts/${id}/entries`).expect(200);
    expect(response.text).toContain('"amount_minor_units":-18446744073709551615,');
  });

  it('stays in order when the clock of the store goes back', async () => {
    const { id } = await accounts.create({ balance: 1n });
    const later = [id, new Date(Date.now() + 3_600_000).toISOString()];
    await accounts.admin.query('update ledger_entries set created_at = $2 where account_id = $1', later);
    await accounts.admin.query('update accounts set last_entry_utc = $2 where id = $1', later);
    const { headers } = await accounts.client().get(`/accounts/${id}`);
    await accounts.put(id, headers['etag'] ?? '', 2).expect(200);
    const entries = await entriesOf(id);
    expect(entries.map((entry) => entry.balance_minor_units)).toEqual([2, 1]);
    expect((entries[0]?.created_at ?? '') > (entries[1]?.created_at ?? '')).toBe(true);
  });

  it.each(['none', '%00'])('answers 404 account-not-found for the account %s', async (id) => {
    const response = await accounts.client().get(`/accounts/${id}/entries`).expect(404);
    expect(response.text).toContain('/problems/account-not-found');
  });

  it("answers another tenant's account like an absent one", async () => {
    const { id } = await withHistory(3);
    await accounts.client({ tenant: 'globex' }).get(`/accounts/${id}/entries`).expect(404);
  });
});
