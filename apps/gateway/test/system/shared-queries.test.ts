import { createHash } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';
import { connectRedis } from '@meridian/shared-state';
import { eventually } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { persisted, startTestGateway } from '../support/test-gateway.ts';
import { useRedisServer } from '../support/use-redis-server.ts';

const query = 'query A { time }';
const hash = createHash('sha256').update(query).digest('hex');

const gateways: TestGateway[] = [];
afterEach(() => Promise.all(gateways.splice(0).map((gateway) => gateway.close())));
const server = useRedisServer();

async function start(keys: string): Promise<TestGateway> {
  const gateway = await startTestGateway({
    config: `apq: { router: { cache: { redis: { urls: ["${server.url}"], ${keys} } } } }`,
  });
  gateways.push(gateway);
  return gateway;
}

describe('apq.router.cache.redis', () => {
  it('shares registered operations, with username and password', async () => {
    await setUser();
    const keys = 'timeout: 10s, username: apq, password: secret, required_to_start: true';
    const [one, other] = [await start(keys), await start(keys)];
    expect((await one.post({ query, ...persisted(hash) })).code).toBeUndefined();
    await eventually(async () => {
      expect((await other.post(persisted(hash))).body).toEqual({ data: { time: 'now' } });
    });
  });

  it('stops the start without its Redis where that is required', async () => {
    await setUser();
    await expect(
      start('timeout: 100ms, username: apq, password: wrong, required_to_start: true'),
    ).rejects.toThrow(
      'apq.router.cache.redis: does not respond within 100 ms, and required_to_start is true',
    );
    expect(
      (await (await start('timeout: 100ms, username: apq, password: wrong')).post({ query })).body,
    ).toEqual({
      data: { time: 'now' },
    });
  });
});

async function setUser(): Promise<void> {
  const ignore = (): void => {};
  const redis = await connectRedis({
    url: server.url,
    timeoutMs: 10_000,
    logger: { info: ignore, warn: ignore },
  });
  expect(await redis.isConnected()).toBe(true);
  await redis.client.sendCommand(['ACL', 'SETUSER', 'apq', 'on', '>secret', '~*', '+@all']);
  redis.close();
}
