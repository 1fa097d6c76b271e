import { createHash } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { persisted, startTestGateway } from '../support/test-gateway.ts';
import { useRedisServer } from '../support/use-redis-server.ts';

/** Leaves 100 to a test: two gateways have had 1 each by then. */
const config = `
traffic_shaping: { router: { global_rate_limit: { capacity: 102, interval: 1h } } }
meridian: { throttle: { unit: cost, local_share: 0.2 } }
`;
const costs = (first: number): object => ({
  query: 'query A($first: Int!) { topProducts(first: $first) { id } }',
  variables: { first },
});

let gateways: TestGateway[] = [];
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  gateways = [];
});
const server = useRedisServer();

describe('Gateways with one REDIS_URL', () => {
  it('share one rate limit, in cost', async () => {
    const [one, other] = [await started(config), await started(config)];
    expect((await one.post(costs(60))).status).toBe(200);
    expect((await other.post(costs(41))).status).toBe(429);
    // One less than is left: a request that is refused counts 1.
    expect((await other.post(costs(39))).status).toBe(200);
    const { status, headers } = await one.post(costs(1));
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  });

  it('count the request errors of each of them', async () => {
    const [one, other] = [await started(config), await started(config)];
    await one.post({ query: '{' });
    expect((await one.post(costs(90))).status).toBe(200);
    expect((await other.post(costs(10))).status).toBe(429);
    expect((await other.post(costs(8))).status).toBe(200);
  });

  it('go on with a local share when Redis stops, never unlimited and never down, and share again when it is back', async () => {
    const [one, other] = [await started(config), await started(config)];
    await one.post(costs(10));
    await server.stop();
    const statuses = async (gateway: TestGateway): Promise<number[]> => [
      (await gateway.post(costs(20))).status,
      (await gateway.post(costs(1))).status,
    ];
    expect([await statuses(one), await statuses(other)]).toEqual([
      [200, 429],
      [200, 429],
    ]);
    await server.start();
    await isConnected(one, other);
    expect((await one.post(costs(60))).status).toBe(200);
    expect((await other.post(costs(60))).status).toBe(429);
    expect((await other.post(costs(39))).status).toBe(200);
  });

  it('respond within the timeout when Redis hangs', async () => {
    const gateway = await started(config);
    server.freeze();
    expect((await gateway.post(costs(20))).status).toBe(200);
    expect((await gateway.post(costs(1))).status).toBe(429);
    server.thaw();
  });

  it('find the operations that clients have registered with another gateway', async () => {
    const [one, other] = [await started(''), await started('')];
    const query = 'query Registered { time }';
    const hash = createHash('sha256').update(query).digest('hex');
    expect((await other.post(persisted(hash))).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    await one.post({ query, ...persisted(hash) });
    await eventually(async () =>
      expect((await other.post(persisted(hash))).body).toEqual({ data: { time: 'now' } }),
    );
    await server.stop();
    expect((await other.post(persisted(hash))).body).toEqual({ data: { time: 'now' } });
    expect((await other.post(persisted('0'.repeat(64)))).code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });
});

async function started(routerYaml: string): Promise<TestGateway> {
  const gateway = await startTestGateway({ config: routerYaml, env: { REDIS_URL: server.url } });
  gateways.push(gateway);
  await isConnected(gateway);
  // So that no later request waits for its plan, and takes that for Redis being late.
  expect((await gateway.post(costs(1))).status).toBe(200);
  return gateway;
}

async function isConnected(...connected: readonly TestGateway[]): Promise<void> {
  await eventually(() => {
    for (const { log } of connected) {
      expect(log.findLast(({ msg }) => String(msg).startsWith('Redis '))).toMatchObject({
        msg: expect.stringMatching(/^Redis responds/),
      });
    }
  });
}
