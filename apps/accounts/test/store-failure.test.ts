import { afterEach, describe, expect, it } from '@jest/globals';

import { useAccounts } from './running-accounts.ts';

describe('When the store fails,', () => {
  const accounts = useAccounts();
  afterEach(() => accounts.admin.query('grant select, insert, update on accounts to meridian_accounts'));

  it('GET /accounts/:id answers 500 internal, and shows nothing of the failure', async () => {
    const { id } = await accounts.create({});
    await accounts.admin.query('revoke select on accounts from meridian_accounts');

    const response = await accounts.client().get(`/accounts/${id}`).expect(500);

    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(response.text)).toEqual({
      type: 'https://meridian.example/problems/internal',
      status: 500,
      detail: 'The service failed unexpectedly.',
    });
  });

  it('PUT /accounts/:id answers 500 internal when the swap fails, and nothing is written', async () => {
    const { id, etag } = await accounts.create({});
    await accounts.admin.query('revoke update on accounts from meridian_accounts');

    const response = await accounts.put(id, etag, 2).expect(500);

    expect(response.text).toContain('/problems/internal');
    expect(response.text).not.toMatch(/permission|accounts_|select|update/i);
    expect(await accounts.revisionOf(id)).toBe(1n);
  });
});

describe('When the store does not respond in time,', () => {
  const accounts = useAccounts({ statementTimeoutMs: 1_000 });
  afterEach(() => accounts.admin.query('rollback'));

  it('POST /accounts answers 504 upstream-timeout with Retry-After: 1 when nothing was written', async () => {
    await accounts.admin.query('begin; lock table accounts in access exclusive mode');
    const response = await accounts.post('/accounts', '{"id":"late","balance_minor_units":1}').expect(504);
    expect(response.text).toContain('/problems/upstream-timeout');
    expect(response.headers['retry-after']).toBe('1');
    await accounts.admin.query('rollback');
    await accounts.client().get('/accounts/late').expect(404);
  });

  it('PUT /accounts/:id answers 500 internal when the store aborts the swap', async () => {
    const { id, etag } = await accounts.create({});
    // The look-up reads past the lock, the swap waits for it.
    await accounts.admin.query('begin; lock table accounts in share mode');
    const put = accounts.put(id, etag, 2);
    const response = await put.expect(500);
    expect(response.text).toContain('nothing was written');
    await accounts.admin.query('rollback');
    expect(await accounts.revisionOf(id)).toBe(1n);
  });
});

describe('When the store cuts the connection of a read,', () => {
  const accounts = useAccounts();

  it('every documented GET is read again, and answers 200', async () => {
    const { id } = await accounts.create({});
    const { id: to } = await accounts.create({});
    const created = async (path: string, body: object): Promise<string> => {
      const response = await accounts.client().post(path).send(JSON.stringify(body)).expect(201);
      return (JSON.parse(response.text) as { id: string }).id;
    };
    const ids: Readonly<Record<string, string>> = {
      accounts: id,
      transfers: await created(`/accounts/${id}/transfers`, { to_account_id: to, amount_minor_units: 1 }),
      holds: await created(`/accounts/${id}/holds`, { amount_minor_units: 1 }),
      webhooks: await created('/webhooks', { url: 'http://127.0.0.1:1/' }),
    };
    const { text } = await accounts.anonymous().get('/openapi.json').expect(200);
    const { paths } = JSON.parse(text) as { paths: Record<string, { get?: { security: unknown[] } }> };
    const reads = Object.entries(paths)
      .filter(([, { get }]) => get !== undefined && get.security.length > 0)
      .map(([path]) => path.replace(/^\/(\w+)\/\{\w+\}/u, (_all, kind: string) => `/${kind}/${ids[kind]}`));
    const { rows: tables } = await accounts.admin.query<{ name: string }>(
      `select string_agg(tablename, ', ') as name from pg_tables where schemaname = 'public'`,
    );

    for (const read of reads) {
      await accounts.admin.query(`begin; lock table ${tables[0]?.name} in access exclusive mode`);
      const response = accounts.client().get(read);
      const status = response.then((got) => got.status);
      await accounts.untilBlocked();
      await accounts.admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      await accounts.admin.query('rollback');
      expect([read, await status]).toEqual([read, 200]);
    }
    expect(reads).toContain(`/accounts/${id}/entries`);
  });
});
