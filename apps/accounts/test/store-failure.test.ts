import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { startAccounts } from './running-accounts.ts';
import type { RunningAccounts } from './running-accounts.ts';

describe('When the store fails,', () => {
  let accounts: RunningAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.stop());
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

    const response = await accounts
      .client()
      .put(`/accounts/${id}`)
      .set('If-Match', etag)
      .send('{"balance_minor_units":2}')
      .expect(500);

    expect(response.text).toContain('/problems/internal');
    expect(response.text).not.toMatch(/permission|accounts_|select|update/i);
    expect(await accounts.revisionOf(id)).toBe(1n);
  });
});

describe('When the store does not respond in time,', () => {
  let accounts: RunningAccounts;
  beforeAll(async () => {
    accounts = await startAccounts({ statementTimeoutMs: 1_000 });
  });
  afterAll(() => accounts.stop());
  afterEach(() => accounts.admin.query('rollback'));

  it('POST /accounts answers 504 upstream-timeout with Retry-After: 1 when nothing was written', async () => {
    await accounts.admin.query('begin; lock table accounts in access exclusive mode');
    const response = await accounts
      .client()
      .post('/accounts')
      .send('{"id":"late","balance_minor_units":1}')
      .expect(504);
    expect(response.text).toContain('/problems/upstream-timeout');
    expect(response.headers['retry-after']).toBe('1');
    await accounts.admin.query('rollback');
    await accounts.client().get('/accounts/late').expect(404);
  });

  it('PUT /accounts/:id answers 500 internal when the store aborts the swap', async () => {
    const { id, etag } = await accounts.create({});
    // The look-up reads past the lock, the swap waits for it.
    await accounts.admin.query('begin; lock table accounts in share mode');
    const put = accounts
      .client()
      .put(`/accounts/${id}`)
      .set('If-Match', etag)
      .send('{"balance_minor_units":2}');
    const response = await put.expect(500);
    expect(response.text).toContain('nothing was written');
    await accounts.admin.query('rollback');
    expect(await accounts.revisionOf(id)).toBe(1n);
  });
});
