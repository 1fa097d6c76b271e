import { describe, expect, it } from '@jest/globals';

import { useAccounts } from '../running-accounts.ts';

const accounts = useAccounts();

describe('GET /', () => {
  it('answers a page with every operation and its scope, without a token', async () => {
    const { headers, text } = await accounts.anonymous().get('/').expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const part of ['PUT /accounts/:id', 'GET /transfers', 'accounts:write', 'href="openapi.json"']) {
      expect(text).toContain(part);
    }
  });

  it('has links that lead somewhere', async () => {
    const { text } = await accounts.anonymous().get('/').expect(200);
    const links = Array.from(text.matchAll(/href="([^"]+)"/gu), ([, link = '']) => link);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      await accounts.anonymous().get(new URL(link, 'http://accounts/').pathname).expect(200);
    }
  });
});
