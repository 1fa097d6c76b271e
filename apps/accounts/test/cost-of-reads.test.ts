// The cost of a read does not grow with the tenant: with ten times the rows it reads as many blocks.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { useAccounts } from './running-accounts.ts';

describe('With many rows, the store of accounts', () => {
  const accounts = useAccounts();
  beforeAll(async () => {
    await accounts.admin.query(`
      insert into accounts (tenant_id, id, balance_minor_units, created_at, last_entry_utc)
      select 'acme', 'a' || n, 0, '2026-01-01'::timestamptz + n * interval '1 second', '2026-03-01' from generate_series(0, 999) n`);
  });

  /** Transfers among all accounts, every tenth of `rent`, the ten oldest of `deposit`; their entries, and a hold for each. */
  async function fill(from: number, to: number): Promise<void> {
    const rows = `select n, md5('t' || n)::uuid as id, 'a' || n % 1000 as sender, 'a' || (n + 1) % 1000 as receiver,
      '2026-02-01'::timestamptz + n * interval '1 second' as at from generate_series(${from}, ${to - 1}) n`;
    await accounts.admin.query(`
      insert into transfers (tenant_id, id, from_account_id, to_account_id, amount_minor_units, reference, created_at)
      select 'acme', id, sender, receiver, 1, case when n < 10 then 'deposit' when n % 10 = 0 then 'rent' end, at from (${rows}) r`);
    await accounts.admin.query(`
      insert into ledger_entries (tenant_id, account_id, transfer_id, amount_minor_units, balance_minor_units, created_at)
      select 'acme', side, id, 0, 0, at from (${rows}) r, lateral (values (sender), (receiver)) as sides (side)`);
    await accounts.admin.query(`
      insert into holds (tenant_id, id, account_id, amount_minor_units, status, expires_at, created_at)
      select 'acme', id, sender, 1, case when n % 3 = 0 then 'released' else 'pending' end, at, at from (${rows}) r`);
    await accounts.admin.query('vacuum analyze accounts, transfers, ledger_entries, holds');
  }

  const reads = {
    entries: `list_entries('acme', 'a5', null, null, 3)`,
    'the balance at a moment': `find_balance_at('acme', 'a5', '2026-02-01T00:30:00Z')`,
    'accounts by their identifiers': `find_accounts('acme', array['a1', 'a2', 'none'])`,
    'accounts created in a time': `list_accounts('acme', null, null, 3, '2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z')`,
    'transfers created in a time': `list_transfers('acme', null, null, null, 3, null, null, '2026-02-01T00:01:00Z', '2026-02-01T00:02:00Z')`,
    // The oldest of all: without an index, everything newer would be read first.
    'transfers of a reference': `list_transfers('acme', null, null, null, 3, null, 'deposit')`,
    'transfers to an account': `list_transfers('acme', 'a5', null, null, 3, 'in')`,
    'transfers from an account, of a reference': `list_transfers('acme', 'a7', null, null, 3, 'out', 'deposit')`,
    'transfers to an account, of a reference': `list_transfers('acme', 'a7', null, null, 3, 'in', 'deposit')`,
    holds: `list_holds('acme', 'a5', null, null, null, 3)`,
    'holds of a status': `list_holds('acme', 'a5', 'released', null, null, 3)`,
  };

  /** The blocks that a call touches. */
  async function blocksOf(call: string, client = accounts.admin): Promise<number> {
    const { rows } = await client.query<{
      'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
    }>(`explain (analyze, buffers, format json) select * from ${call}`);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }

  /** The blocks that each read touches, when its plan is made for any values. */
  async function blocks(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    await accounts.admin.query(`set plan_cache_mode = force_generic_plan`);
    for (const [name, call] of Object.entries(reads)) {
      // The first run in a session plans.
      await accounts.admin.query(`select * from ${call}`);
      counts[name] = await blocksOf(call);
    }
    return counts;
  }

  it('reads no more blocks with ten times the rows', async () => {
    await fill(0, 5000);
    const before = await blocks();
    await fill(5000, 50_000);
    const after = await blocks();
    for (const [name, count] of Object.entries(after)) {
      // An index may have one more level, in each of the few ranges that are read.
      expect({ name, grown: count > (before[name] ?? 0) + 12 }).toEqual({ name, grown: false });
    }
  });

  it('reads no more blocks for a page of events with twenty times as many unread ones, of this tenant and of others', async () => {
    const page = `list_events('acme', 0, 0, 100, null, null)`;
    const write = (count: number) =>
      accounts.admin.query(
        `insert into event_outbox (tenant_id, time, type, subject, data)
         select tenant, clock_timestamp(), 'account.updated', '/accounts/a' || n, '{}'
         from generate_series(1, $1::integer) n, unnest(array['acme', 'globex']) as tenants (tenant)`,
        [count],
      );
    const service = new Client({ connectionString: accounts.storeUrl });
    await service.connect();
    await service.query(`set plan_cache_mode = force_generic_plan`);
    // As connections do that are older than the flood: they plan while there is nothing to read.
    await accounts.admin.query('vacuum analyze event_outbox, event_log');
    await blocksOf(page, service);
    // The least of three pages: autovacuum makes a connection read the catalogue and plan again at any time.
    const pages = async () => {
      const counts = [];
      for (let read = 0; read < 3; read += 1) {
        counts.push(await blocksOf(page, service));
      }
      return Math.min(...counts);
    };
    await write(4000);
    const before = await pages();
    await write(80_000);
    expect(await pages()).toBeLessThan(before * 1.1);
    await service.end();
    const { rows } = await accounts.admin.query<{ count: string }>(`select count(*) from event_log`);
    // A thousand with each page, and the holds that had expired with the first look.
    expect(rows).toEqual([{ count: '6100' }]);
  });
});
