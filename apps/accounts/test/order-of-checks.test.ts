import { describe, expect, it } from '@jest/globals';

import { useAccounts } from './running-accounts.ts';

describe('The accounts service', () => {
  const accounts = useAccounts();

  it('redirects a trailing slash before it authenticates', async () => {
    const response = await accounts.anonymous().get('/accounts/a/?x=1').redirects(0).expect(301);
    expect(response.headers['location']).toBe('/accounts/a?x=1');
  });

  it('answers 404 route-not-found before it authenticates', async () => {
    const response = await accounts.anonymous().get('/nowhere').expect(404);
    expect(response.text).toContain('/problems/route-not-found');
  });

  it('answers 405 method-not-allowed with Allow before it authenticates', async () => {
    const one = await accounts.anonymous().delete('/accounts/a').expect(405);
    expect(one.headers['allow']).toBe('GET, HEAD, PUT');
    const all = await accounts.anonymous().put('/accounts').expect(405);
    expect(all.headers['allow']).toBe('GET, HEAD, POST');
  });

  it('answers 401 with WWW-Authenticate without a token, before it negotiates', async () => {
    const response = await accounts.anonymous().get('/accounts/a').set('Accept', 'text/html').expect(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="meridian"');
    expect(response.text).toContain('/problems/authentication-required');
  });

  it('answers 401 invalid_token to a bad token', async () => {
    const response = await accounts
      .anonymous()
      .get('/accounts/a')
      .set('Authorization', 'Bearer x.y.z')
      .expect(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="meridian", error="invalid_token"');
    expect(response.text).toContain('/problems/invalid-token');
  });

  it.each([
    ['get', '/accounts/a', 'accounts:write', 'accounts:read'],
    ['put', '/accounts/a', 'accounts:read', 'accounts:write'],
    ['post', '/accounts', 'accounts:read', 'accounts:write'],
  ] as const)('answers 403 to %s %s with only the scope %s', async (method, path, held, needed) => {
    const client = accounts.client({ scopes: [held] });
    const response = await client[method](path).set('Accept', 'text/html').expect(403);
    expect(response.headers['www-authenticate']).toBe(
      `Bearer realm="meridian", error="insufficient_scope", scope="${needed}"`,
    );
    expect(response.text).toContain('/problems/insufficient-scope');
  });

  it('answers 406 and 415 before 428', async () => {
    await accounts.client().put('/accounts/a').set('Accept', 'text/html').send('{}').expect(406);
    await accounts.client().put('/accounts/a').set('Content-Type', 'text/plain').send('{}').expect(415);
    await accounts.client().put('/accounts/a').send('{}').expect(428);
  });

  it('gives every response a Request-Id, and every error Cache-Control: no-store', async () => {
    const responses = [
      await accounts.client().get('/accounts/none'),
      await accounts.anonymous().get('/accounts/none'),
      await accounts.anonymous().get('/nowhere'),
    ];
    for (const { headers } of responses) {
      expect(headers).toMatchObject({ 'request-id': expect.any(String), 'cache-control': 'no-store' });
    }
  });
});
