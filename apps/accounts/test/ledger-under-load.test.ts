// Writers of all kinds at once, then the books: they balance, and a replay of the log of events gives every balance.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { startAccounts } from './running-accounts.ts';
import type { RunningAccounts } from './running-accounts.ts';

const accountCount = 4;
const writers = 16;
const turns = 15;

interface Event {
  id: string;
  type: string;
  time: string;
  data: {
    id: string;
    balance_minor_units: number;
    from_account_id: string;
    to_account_id: string;
    amount_minor_units: number;
  };
}

describe('The ledger, written by many at once,', () => {
  let accounts: RunningAccounts;
  const ids: string[] = [];
  beforeAll(async () => {
    accounts = await startAccounts({ requestDeadlineMs: 60_000 });
    for (let count = 0; count < accountCount; count += 1) {
      ids.push((await accounts.create({ balance: 1000n })).id);
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  });
  afterAll(() => accounts.stop());

  /** Requests of every kind, in an order of its own. Some are refused, and no matter which. */
  async function write(writer: number): Promise<void> {
    const transfers: string[] = [];
    const holds: string[] = [];
    /** Sends a request, unless there is nothing to send it to yet, and keeps the path of what it made. */
    const send = async (path: string | undefined, body: object, made: string[]) => {
      if (path === undefined) {
        return;
      }
      const response = await accounts.client().post(path).send(JSON.stringify(body));
      expect([201, 409, 422]).toContain(response.status);
      if (response.status === 201) {
        made.push(response.headers['location'] ?? '');
      }
    };
    const under = (path: string | undefined, action: string) => path && `${path}/${action}`;
    for (let turn = 0; turn < turns; turn += 1) {
      const step = writer * 7 + turn * 5;
      const [from = '', to = ''] = [ids[step % accountCount], ids[(step + 1 + (turn % 3)) % accountCount]];
      const amount = 1 + (step % 90);
      switch (step % 6) {
        case 0:
          await put(from, amount * 20);
          break;
        case 1:
          await send(`/accounts/${from}/holds`, { amount_minor_units: amount }, holds);
          break;
        case 2:
          await send(under(holds[0], 'captures'), { to_account_id: to }, transfers);
          break;
        case 3:
          await send(under(holds.at(-1), 'releases'), {}, []);
          break;
        case 4:
          await send(under(transfers[0], 'reversals'), {}, transfers);
          break;
        default:
          await send(
            `/accounts/${from}/transfers`,
            { to_account_id: to, amount_minor_units: amount },
            transfers,
          );
      }
    }
  }

  async function put(id: string, balance: number): Promise<void> {
    const { headers } = await accounts.client().get(`/accounts/${id}`).expect(200);
    await accounts
      .client()
      .put(`/accounts/${id}`)
      .set('If-Match', headers['etag'] ?? '')
      .send(`{"balance_minor_units":${balance}}`);
  }

  async function allEvents(): Promise<Event[]> {
    const events: Event[] = [];
    for (let cursor = ''; ;) {
      const { text } = await accounts.client().get(`/events?limit=100${cursor}`).expect(200);
      const page = JSON.parse(text) as { items: Event[]; next_cursor: string };
      events.push(...page.items);
      if (page.items.length === 0) {
        return events;
      }
      cursor = `&after=${page.next_cursor}`;
    }
  }

  it('balances: entries sum to zero, and each balance is the sum of its entries, as the last of them says', async () => {
    const { rows: sums } = await accounts.admin.query(
      'select sum(amount_minor_units)::text as total from ledger_entries group by tenant_id',
    );
    expect(sums).toEqual([{ total: '0' }]);
    for (const id of ids) {
      const { rows } = await accounts.admin.query<{ amount: string; balance: string }>(
        `select amount_minor_units::text as amount, balance_minor_units::text as balance from ledger_entries
         where account_id = $1 order by created_at`,
        [id],
      );
      let sum = 0n;
      for (const { amount, balance } of rows) {
        sum += BigInt(amount);
        expect(balance).toBe(String(sum));
      }
      const { text } = await accounts.client().get(`/accounts/${id}`).expect(200);
      expect(text).toBe(`{"id":"${id}","balance_minor_units":${sum}}`);
    }
  });

  it('is in the log completely: a replay of the events gives each balance at each moment', async () => {
    const events = await allEvents();
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const { rows } = await accounts.admin.query<{ count: string }>(
      `select count(distinct coalesce(transfer_id::text, id::text))::text as count from ledger_entries
       where account_id is not null`,
    );
    const changes = events.filter(({ type }) => /^account\.|^transfer\.completed$/u.test(type));
    expect(changes).toHaveLength(Number(rows[0]?.count));

    const balances = new Map<string, number>();
    for (const { time, type, data } of changes) {
      if (type === 'transfer.completed') {
        balances.set(
          data.from_account_id,
          (balances.get(data.from_account_id) ?? 0) - data.amount_minor_units,
        );
        balances.set(data.to_account_id, (balances.get(data.to_account_id) ?? 0) + data.amount_minor_units);
      } else {
        balances.set(data.id, data.balance_minor_units);
      }
      for (const id of type === 'transfer.completed'
        ? [data.from_account_id, data.to_account_id]
        : [data.id]) {
        const { text } = await accounts.client().get(`/accounts/${id}/balance?at=${time}`).expect(200);
        expect(JSON.parse(text)).toMatchObject({ balance_minor_units: balances.get(id) });
      }
    }
  });
});
