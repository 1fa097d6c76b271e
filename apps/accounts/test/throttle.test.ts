import { describe, expect, it } from '@jest/globals';

import { useAccounts } from './running-accounts.ts';

describe('The throttle', () => {
  const accounts = useAccounts({ tenantRequestsPerSecond: 5 });

  it('answers 429 throttled with Retry-After and RateLimit to a tenant over its share, and to no other', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => accounts.get('/accounts/none').then((response) => response)),
    );
    // The 40 may take more than one interval of a second on a slow machine.
    const throttled = responses.filter(({ status }) => status === 429);
    expect(throttled.length).toBeGreaterThan(0);
    expect(throttled[0]?.text).toContain('/problems/throttled');
    expect(throttled[0]?.headers).toMatchObject({
      'retry-after': '1',
      ratelimit: '"tenant";r=0;t=1',
      'ratelimit-policy': '"tenant";q=5;w=1',
    });
    await accounts.client({ tenant: 'globex' }).get('/accounts/none').expect(404);
  });

  it('says the rest of the quota on every response of a throttled route, and on no other', async () => {
    const globex = accounts.client({ tenant: 'globex' });
    const made = await globex.post('/accounts').send('{"balance_minor_units":1}');
    const read = await globex.get(made.headers['location'] ?? '');
    expect([made.status, read.status]).toEqual([201, 200]);
    for (const { headers } of [made, read]) {
      expect(headers['ratelimit']).toMatch(/^"tenant";r=[0-4];t=1$/);
      expect(headers['ratelimit-policy']).toBe('"tenant";q=5;w=1');
    }
    const document = await accounts.anonymous().get('/openapi.json').expect(200);
    expect(document.headers).not.toHaveProperty('ratelimit');
  });

  it('applies after authentication and scope, and before negotiation', async () => {
    const statusesOf = async (send: () => PromiseLike<{ status: number }>) =>
      new Set(await Promise.all(Array.from({ length: 40 }, async () => (await send()).status)));

    expect(await statusesOf(() => accounts.anonymous().get('/accounts/none'))).toEqual(new Set([401]));
    const unscoped = accounts.client({ scopes: ['accounts:write'] });
    expect(await statusesOf(() => unscoped.get('/accounts/none'))).toEqual(new Set([403]));
    const unacceptable = () => accounts.client().get('/accounts/none').set('Accept', 'text/html');
    expect(await statusesOf(unacceptable)).toContain(429);
  });
});
