// Ten thousand webhooks of other tenants: a write and a delivery cost as many statements, and read as many blocks.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { startAccounts } from '../running-accounts.ts';
import type { RunningAccounts } from '../running-accounts.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

const statements = {
  'the claim of due tenants': `update webhook_queue set due_at = now() + interval '30 seconds'
    where queue = 'all' and due_at <= now() and tenant in (
      select due.tenant from webhook_queue due
      where due.queue = 'all' and due.due_at <= now() and not due.tenant = any ('{}')
      order by due.due_at limit 50 for update skip locked
    )`,
  'the wake of a tenant': `update webhook_queue set due_at = now()
    where queue = 'all' and tenant = any ('{acme}') and due_at > now()`,
  'a turn': `select * from claim_webhook_deliveries('acme', 32, 8, 16, '{}', '{}', '30 seconds')`,
  'a page of deliveries': `select * from list_webhook_deliveries('acme', (select id from webhooks where tenant_id = 'acme'), null, 51)`,
};

describe('With ten thousand webhooks of a thousand other tenants', () => {
  let accounts: RunningAccounts;
  let receiver: Receiver;
  beforeAll(async () => {
    accounts = await startAccounts({ sendsWebhooks: true });
    receiver = await startReceiver();
    await accounts.post('/webhooks', JSON.stringify({ url: `${receiver.url}/acme` })).expect(201);
  });
  afterAll(async () => {
    await accounts.stop();
    await receiver.close();
  });

  /** The tenants, each with ten webhooks and a delivered event for each; nothing of them is due. */
  async function addTenants(from: number, to: number): Promise<void> {
    const tenants = `select 'tenant-' || n as tenant from generate_series(${from}, ${to - 1}) n`;
    await accounts.admin.query(`
      insert into webhooks (tenant_id, id, url, sealed_secrets, secret_ends, active_since, created_at)
      select tenant, gen_random_uuid(), 'https://example.com/', '{}', '{}', now(), now()
      from (${tenants}) t, generate_series(1, 10)`);
    await accounts.admin.query(`
      insert into webhook_deliveries
        (tenant_id, webhook_id, id, event_id, event_slot, event_position, status, created_at)
      select w.tenant_id, w.id, ordered_uuid(now()), gen_random_uuid(), 0, 1, 'delivered', now()
      from webhooks w where w.tenant_id in (${tenants})`);
    await accounts.admin.query(`
      insert into webhook_cursors (tenant_id, position, period, cleaned_at) select tenant, 1, 1, now() from (${tenants}) t`);
    await accounts.admin.query(`
      insert into webhook_queue (queue, tenant, due_at) select 'all', tenant, now() + interval '1 hour' from (${tenants}) t`);
    await accounts.admin.query('vacuum analyze webhooks, webhook_deliveries, webhook_cursors, webhook_queue');
  }

  async function blocks(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    await accounts.admin.query(`set plan_cache_mode = force_generic_plan`);
    for (const [name, statement] of Object.entries(statements)) {
      // The first run in a session plans.
      await accounts.admin.query(statement);
      const { rows } = await accounts.admin.query<{
        'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
      }>(`explain (analyze, buffers, format json) ${statement}`);
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      counts[name] = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    }
    return counts;
  }
  /** The calls of the database from a write to the end of its delivery, without the poll of each second. */
  async function callsOfDelivery(count: number): Promise<number> {
    const before = accounts.databaseCalls();
    await accounts.create({});
    await receiver.at('/acme', count);
    await eventually(async () => {
      const { rows } = await accounts.admin.query(
        `select from webhook_deliveries where tenant_id = 'acme' and status <> 'delivered'`,
      );
      expect(rows).toEqual([]);
    });
    return accounts.databaseCalls() - before;
  }

  it('a write and its delivery take no more statements, and read no more blocks', async () => {
    await addTenants(0, 10);
    const calls = await callsOfDelivery(1);
    const before = await blocks();
    await addTenants(10, 1010);
    expect(await callsOfDelivery(2)).toBeLessThan(calls + 10);
    const after = await blocks();
    for (const [name, count] of Object.entries(after)) {
      expect({ name, grown: count > (before[name] ?? 0) + 12 }).toEqual({ name, grown: false });
    }
  });
});
