import { beforeAll, describe, expect, it } from '@jest/globals';
import { openApiFaults } from '@meridian/testing/openapi';

import { useAccounts } from '../running-accounts.ts';

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, { security: object[] }>>;
}

describe('GET /openapi.json', () => {
  const accounts = useAccounts();
  let text: string;
  let document: OpenApi;
  beforeAll(async () => {
    text = (await accounts.anonymous().get('/openapi.json').expect(200)).text;
    document = JSON.parse(text) as OpenApi;
  });

  it('answers OpenAPI 3.1 as application/json, without a token', async () => {
    const response = await accounts.anonymous().get('/openapi.json').expect(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it('answers 304 to a client that has the current document', async () => {
    const { headers } = await accounts.anonymous().get('/openapi.json').expect(200);
    await accounts
      .anonymous()
      .get('/openapi.json')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
  });

  it('lints clean with the strict rules that Redocly recommends', async () => {
    expect(await openApiFaults(text)).toEqual([]);
  });

  it('documents every route, and no other', async () => {
    // The served routes, as the resources declare them.
    const served = await Promise.all(
      Object.keys(document.paths).map(async (path) => {
        const response = await accounts
          .anonymous()
          .options(path.replaceAll(/\{\w+\}/g, 'x'))
          .expect(405);
        return [path, response.headers['allow']] as const;
      }),
    );
    expect(served).toEqual(
      Object.entries(document.paths).map(([path, methods]) => [path, allowOf(Object.keys(methods))]),
    );
    expect(Object.keys(document.paths)).toEqual(accounts.routes());
  });

  it('asks for a token wherever the document says so, and nowhere else', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const client = accounts.anonymous();
        const response = await client[method as 'get' | 'put' | 'post' | 'patch' | 'delete'](
          path.replaceAll(/\{\w+\}/g, 'x'),
        );
        expect([method, path, response.status === 401]).toEqual([method, path, security.length > 0]);
      }
    }
  });

  it('gives the bounds of 64-bit integers digit for digit', () => {
    expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
  });
});

/** The `Allow` of a resource with these methods. */
function allowOf(methods: readonly string[]): string {
  return methods
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .join(', ');
}
