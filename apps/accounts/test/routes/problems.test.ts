import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { problemKinds } from '@meridian/problem-details';

import { useAccounts } from '../running-accounts.ts';

const accounts = useAccounts();

const read = (path: string) => accounts.anonymous().get(path);

/** The text of a page, without its tags. */
const textOf = (page: string) =>
  page
    .replaceAll(/<style>.*<\/style>|<[^>]+>/gs, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

describe('GET /problems/:kind', () => {
  it.each(Object.entries(problemKinds))(
    'answers a page about %s, without a token: meaning, cause and remedy',
    async (kind, { status, title, meaning, cause, remedy }) => {
      const response = await read(`/problems/${kind}`).expect(200);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      for (const part of [kind, String(status), title, meaning, cause, remedy]) {
        expect(textOf(response.text)).toContain(part);
      }
    },
  );

  it('is the URL in the type of a problem', async () => {
    const refused = await read('/accounts/a').expect(401);
    const { type } = JSON.parse(refused.text) as { type: string };
    const response = await read(new URL(type).pathname).expect(200);
    expect(response.text).toContain(type);
  });

  it.each(['none', 'Stale-Etag', 'toString', '__proto__', 'stale-etag%00'])(
    'answers 404 with a problem to %s, which is not a kind, whatever the client accepts',
    async (kind) => {
      const response = await read(`/problems/${kind}`).set('Accept', 'application/json').expect(404);
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(response.text).toContain('/problems/route-not-found');
    },
  );

  it('answers a page whose policy allows only its own stylesheet', async () => {
    const { headers, text } = await read('/problems/stale-etag').expect(200);
    const [, stylesheet = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
    const hash = createHash('sha256').update(stylesheet).digest('base64');
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(text).not.toMatch(/ (?:src|style|on\w+)=|url\(|@import|<script|<link/);
  });

  it('answers cacheable pages, and 304 to the current validator', async () => {
    const { headers } = await read('/problems/stale-etag').expect(200);
    expect(headers['cache-control']).toBe('private, max-age=0, must-revalidate');
    await read('/problems/stale-etag')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
  });

  it('answers HEAD, and 406 to a client that does not accept HTML', async () => {
    await accounts.anonymous().head('/problems/stale-etag').expect(200);
    await read('/problems/stale-etag').set('Accept', 'application/json').expect(406);
  });
});

describe('GET /problems', () => {
  it('links to the page of every kind', async () => {
    const { text } = await read('/problems').expect(200);
    const links = [...text.matchAll(/href="problems\/([\w-]+)"/g)].map(([, kind]) => kind);
    expect(new Set(links)).toEqual(new Set(Object.keys(problemKinds)));
  });

  it('links only to pages that exist, as the pages of kinds do', async () => {
    for (const path of ['/problems', '/problems/stale-etag']) {
      const { text } = await read(path).expect(200);
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
      for (const link of links) {
        await read(new URL(link, `http://localhost${path}`).pathname).expect(200);
      }
    }
  });
});
