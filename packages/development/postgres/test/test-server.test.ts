import { beforeEach, describe, expect, it } from '@jest/globals';

import { offerTestServer, testServer } from '../src/test-server.ts';
import type { OwnedTestServer } from '../src/test-server.ts';

const started = { url: 'postgresql://of.a.test/', workerUrls: [], stop: () => Promise.resolve() };

describe('testServer', () => {
  let starts = 0;
  let outcome: Promise<typeof started>;
  let offer: OwnedTestServer;

  beforeEach(async () => {
    starts = 0;
    offer = await offerTestServer(() => {
      starts += 1;
      return outcome;
    });
  });

  it('starts one server, when the first of several suites asks', async () => {
    outcome = Promise.resolve(started);
    expect(starts).toBe(0);
    const servers = await Promise.all([testServer(), testServer(), testServer()]);
    expect(servers).toEqual(Array.from({ length: 3 }, () => ({ url: started.url, workerUrls: [] })));
    expect(starts).toBe(1);
    await offer.stop();
  });

  it('fails for each suite with the reason why the server did not start', async () => {
    outcome = Promise.reject(new Error('the port is in use'));
    await expect(testServer()).rejects.toThrow('the port is in use');
    await expect(testServer()).rejects.toThrow('the port is in use');
    expect(starts).toBe(1);
    await offer.stop();
  });
});
