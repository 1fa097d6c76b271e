import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { openApiFaults } from '@meridian/testing/openapi';

import { startResources } from '../start-resources.ts';

describe('GET /openapi.json of orders', () => {
  const resources = useStarted(() => startResources());
  let text: string;
  beforeAll(async () => {
    text = (await resources.anonymous().get('/openapi.json').expect(200)).text;
  });

  it('documents every resource and method, in OpenAPI 3.1, without a token', () => {
    const document: { openapi: string; paths: Record<string, object> } = JSON.parse(text);
    expect(document.openapi).toMatch(/^3\.1\./);
    const methods = Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)]);
    expect(Object.fromEntries(methods)).toEqual({
      '/events': ['get'],
      '/orders/{id}': ['get', 'patch'],
      '/orders/{id}/cancellations': ['post'],
      '/orders/{id}/cancellations/{cid}': ['get'],
      '/openapi.json': ['get'],
    });
  });

  it('lints clean with the strict rules that Redocly recommends', async () => {
    expect(await openApiFaults(text)).toEqual([]);
  });
});
