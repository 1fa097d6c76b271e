// The log of accounts is older than this package: its migrations have a copy of what the other services include. The copies
// are held equal here. A change that all services need is a file of this package's `migrations`, which a new migration of
// each service includes; of `list_events` accounts has a version of its own, for holds that expire.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@meridian/testing';
import type { TestDatabase } from '@meridian/testing';
import { Client } from 'pg';

const apps = ['accounts', 'orders', 'products', 'reviews'];

describe('The log of events', () => {
  const stores: TestDatabase[] = [];
  beforeAll(async () => {
    for (const app of apps) {
      stores.push(
        await createTestDatabase({
          migrations: new URL(`../../../../apps/${app}/migrations/`, import.meta.url),
          serviceRole: `meridian_${app}`,
        }),
      );
    }
  });
  afterAll(() => Promise.all(stores.map((store) => store.drop())));

  /** One text for each service, without its role. */
  const fromEach = (sql: string): Promise<string[]> =>
    Promise.all(
      stores.map(async ({ adminUrl }, index) => {
        const client = new Client(adminUrl);
        await client.connect();
        const { rows } = await client.query<{ text: string }>(sql);
        await client.end();
        return rows.map(({ text }) => text.replaceAll(`meridian_${apps[index]}`, 'the role')).join('\n');
      }),
    );

  it('has the same functions in each service; in accounts, holds that expire too', async () => {
    const [accounts, ...others] = await fromEach(
      `select pg_get_functiondef(oid) as text from pg_proc
       where pronamespace = 'public'::regnamespace and proname = any (
         '{period_of,utc_text,uuid_at,tell,log_events,list_events,drop_old_events}')
       order by proname`,
    );
    const expected = accounts?.replace('  perform tell_expired_holds(p_tenant_id, 100);\n', '');
    expect(accounts).not.toBe(expected);
    expect(expected?.match(/CREATE OR REPLACE FUNCTION/g)).toHaveLength(7);
    expect(others).toEqual([expected, expected, expected]);
  });

  it('has the same tables, policies and rights in each service', async () => {
    const texts = await fromEach(
      `select format('%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull) as text
         from pg_attribute a join pg_class c on c.oid = a.attrelid
         where c.relnamespace = 'public'::regnamespace and c.relname like 'event\\_%' and a.attnum > 0
       union all
       select format('%s %s %s %s', c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relacl)
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname like 'event\\_%'
       union all
       select format('%s %s', polname, pg_get_expr(polqual, polrelid)) from pg_policy where polname like 'event\\_%'
       order by 1`,
    );
    expect(texts[0]).toContain('event_outbox_of_the_tenant');
    expect(new Set(texts).size).toBe(1);
  });
});
