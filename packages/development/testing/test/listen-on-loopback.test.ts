import { describe, expect, it } from '@jest/globals';

import { listenOnLoopback } from '../src/index.ts';

describe('listenOnLoopback', () => {
  it('serves on a free port of 127.0.0.1', async () => {
    const server = await listenOnLoopback((request, response) => response.end(request.url));
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
    const response = await fetch(`${server.url}/here`);
    await expect(response.text()).resolves.toBe('/here');
    await server.close();
  });

  it('closes during a request without a response', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const server = await listenOnLoopback(() => resolve());
    const response = fetch(server.url).catch((error: unknown) => error);
    await arrived;
    await expect(server.close()).resolves.toBeUndefined();
    await expect(response).resolves.toMatchObject({ message: 'fetch failed' });
  });
});
