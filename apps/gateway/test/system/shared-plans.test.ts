import { afterEach, describe, expect, it } from '@jest/globals';
import type { RedisConnection, RedisConnectionOptions } from '@meridian/shared-state';
import { connectRedis } from '@meridian/shared-state';
import { createSelfSignedCertificate, eventually, startRedisServer } from '@meridian/testing';
import type { MutualTls } from '@meridian/testing';

import { startTestGateway } from '../support/test-gateway.ts';
import { useRedisServer } from '../support/use-redis-server.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { bodiesOf, createPlanningGateways, plannedBy, sampleOf } from '../stores/planning-gateways.ts';

const gateways = createPlanningGateways();
afterEach(() => gateways.close());
const server = useRedisServer();

describe('Gateways with supergraph.query_planning.cache.redis', () => {
  it('share their plans', async () => {
    const first = await gateways.start(configWith());
    await untilStored();
    const second = await gateways.start(configWith());

    expect(await bodiesOf(second)).toEqual(await bodiesOf(first));
    expect([await plannedBy(first), await plannedBy(second)]).toEqual([2, 0]);
    expect(await sampleOf(second, 'apollo_router_cache_hit_time_count', 'storage="redis"')).toBe(3);
  });

  it('share no plan with another namespace', async () => {
    await gateways.start(configWith());
    await untilStored();
    expect(await plannedBy(await gateways.start(configWith('namespace: others')))).toBe(2);
  });

  it.each([
    ['reset_ttl: true', 3600],
    ['reset_ttl: false', 60],
  ])('begin the ttl anew with each use as %s says', async (key, seconds) => {
    await gateways.start(configWith('ttl: 1m'));
    await untilStored();
    await gateways.start(configWith(`ttl: 1h, ${key}`));
    await withRedis(async (client) => {
      for (const name of await client.keys('*')) {
        expect(Math.ceil((await client.ttl(name)) / 60) * 60).toBe(seconds);
      }
    });
  });

  it('make the plans again that others have overwritten', async () => {
    const first = await gateways.start(configWith());
    await untilStored();
    await withRedis(async (client) => {
      const [one = '', two = '', three = ''] = await client.keys('*');
      await client.set(one, (await client.get(two)) ?? '');
      await client.set(two, 'rubbish');
      await client.del(three);
      await client.hSet(three, 'not', 'a text');
    });
    const second = await gateways.start(configWith());

    expect(await bodiesOf(second)).toEqual(await bodiesOf(first));
    expect(await sampleOf(second, 'meridian_plan_store_errors_total', 'storage="redis"')).toBe(3);
  });

  it.each([
    ['is stopped', () => server.stop()],
    ['hangs', async () => server.freeze()],
  ])('plan for themselves when Redis %s, before a start or after', async (_state, lose) => {
    const before = await gateways.start(configWith('timeout: 300ms'));
    await untilStored();
    await lose();
    const after = await gateways.start(configWith('timeout: 300ms'));

    expect(await plannedBy(after)).toBe(2);
    expect(await bodiesOf(after)).toEqual(await bodiesOf(before));
    server.thaw();
  });

  it('do not start without the Redis when required_to_start is true', async () => {
    await server.stop();
    await expect(gateways.start(configWith('required_to_start: true, timeout: 100ms'))).rejects.toThrow(
      'supergraph.query_planning.cache.redis: does not respond within 100 ms, and required_to_start is true',
    );
  });

  it('authenticate with username and password', async () => {
    await withRedis(async (client) => {
      await client.sendCommand(['ACL', 'SETUSER', 'planner', 'on', '>secret', '~*', '+@all']);
    });
    const user = 'username: planner, required_to_start: true';
    await expect(gateways.start(configWith(`${user}, timeout: 100ms, password: wrong`))).rejects.toThrow(
      'required_to_start',
    );
    await gateways.start(configWith(`${user}, password: secret`));
    await untilStored();
  });
});

describe('A gateway whose Redis takes TLS alone, from clients that it knows', () => {
  const tls: MutualTls = { server: createSelfSignedCertificate(), client: createSelfSignedCertificate() };
  const secure = useInSuite(() => startRedisServer(tls));
  afterEach(async () => {
    await secure.stop();
    await secure.start();
  });

  const sectionOf = (name: string, url: string, keys: object): string =>
    JSON.stringify({
      [name]: { cache: { redis: { urls: [url], timeout: '10s', required_to_start: true, ...keys } } },
    }).slice(1, -1);
  const { cert: certificate_chain, key } = tls.client;
  const own = { certificate_authorities: tls.server.cert, client_authentication: { certificate_chain, key } };

  it.each(['rediss', 'redis'])('keeps plans and registered operations there: %s', async (scheme) => {
    const url = secure.url.replace('rediss', scheme);
    const plans = `supergraph: { ${sectionOf('query_planning', url, { tls: own })} }`;
    await gateways.start(plans);
    await untilStored({ url: secure.url, certificates: { ca: tls.server.cert, ...tls.client } });
    const again = await gateways.start(plans);
    expect(await plannedBy(again)).toBe(0);
    await startTestGateway({ config: `apq: { ${sectionOf('router', url, { tls: own })} }` }).then((other) =>
      other.close(),
    );
  });

  it('does not start without its certificates', async () => {
    for (const keys of [{}, { tls: { certificate_authorities: tls.server.cert } }]) {
      const plans = `supergraph: { ${sectionOf('query_planning', secure.url, { ...keys, timeout: '300ms' })} }`;
      await expect(gateways.start(plans)).rejects.toThrow('does not respond within');
    }
  });
});

/** The timeout is long, so that a busy machine is not taken for a Redis that hangs. */
function configWith(keys = ''): string {
  const timeout = keys.includes('timeout') ? '' : ', timeout: 10s';
  const redis = `{ urls: ["${server.url}"]${timeout}${keys === '' ? '' : `, ${keys}`} }`;
  return `supergraph: { query_planning: { cache: { redis: ${redis} } } }`;
}

/** Waits for the plans of both operations, and of one that shows that the planner can read the supergraph. */
async function untilStored(where?: Where): Promise<void> {
  await withRedis(async (client) => {
    await eventually(async () => expect(await client.dbSize()).toBe(3));
  }, where);
}

type Where = Pick<RedisConnectionOptions, 'url' | 'certificates'>;

async function withRedis(
  use: (client: RedisConnection['client']) => Promise<void>,
  where: Where = { url: server.url },
): Promise<void> {
  const ignore = (): void => {};
  const redis = await connectRedis({
    ...where,
    timeoutMs: 10_000,
    logger: { info: ignore, warn: ignore },
  });
  try {
    expect(await redis.isConnected()).toBe(true);
    await use(redis.client);
  } finally {
    redis.close();
  }
}
