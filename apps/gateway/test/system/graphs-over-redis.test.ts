// Two graphs of one supergraph over one Redis: neither finds what the other has stored, nor counts for it.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectRedis } from '@meridian/shared-state';
import type { RedisServer, TestIdentity } from '@meridian/testing';
import { createTestIdentity, eventually, startRedisServer } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { persisted, startTestGateway } from '../support/test-gateway.ts';

let server: RedisServer;
let identity: TestIdentity;
/** Has two graphs. */
let graphs: TestGateway;
/** Has one, and a tenant whose name has the form of a graph and its tenant. */
let single: TestGateway;
let authorization: Record<'acme' | 'one:acme', string>;

const query = 'query A { topProducts(first: 1) { id } }';
const hash = createHash('sha256').update(query).digest('hex');

beforeAll(async () => {
  server = await startRedisServer();
  identity = await createTestIdentity();
  const common = `
authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }
supergraph: { query_planning: { cache: { redis: { urls: ['${server.url}'] } } } }
apq: { enabled: true }
`;
  const throttle =
    'throttle: { tenant: { capacity: 2, interval: 1h } }, authentication: { tenant_claim: tenant_id }';
  const env = { NODE_ENV: 'development', REDIS_URL: server.url };
  graphs = await startTestGateway({
    config: `${common}\nmeridian: { ${throttle}, graphs: { one: { path: /graphql }, two: { path: /two } } }`,
    env,
  });
  single = await startTestGateway({ config: `${common}\nmeridian: { ${throttle} }`, env });
  const token = async (tenant: string): Promise<string> => `Bearer ${await identity.token({ tenant })}`;
  authorization = { acme: await token('acme'), 'one:acme': await token('one:acme') };
  await eventually(() => {
    if (
      ![graphs, single].every(({ log }) => log.some(({ msg }) => String(msg).startsWith('Redis responds')))
    ) {
      throw new Error('Redis has not responded');
    }
  });
});
afterAll(async () => {
  await graphs.close();
  await single.close();
  await identity.close();
  await server.close();
});

/** The status of an operation, or the code of its error. */
async function send(url: string | URL, body: object, headers: object = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code ?? response.status;
}

describe('Two graphs over one Redis', () => {
  it('share no registered operation, no plan and no budget, also with a gateway of one graph', async () => {
    const two = new URL('/two', graphs.url);
    const acme = { authorization: authorization.acme };
    expect(await send(graphs.url, { query, ...persisted(hash) })).toBe(200);
    for (const other of [two, single.url]) {
      expect(await send(other, persisted(hash))).toBe('PERSISTED_QUERY_NOT_FOUND');
      expect(await send(other, { query, ...persisted(hash) })).toBe(200);
    }

    const statuses = [];
    for (const url of [graphs.url, graphs.url, graphs.url, two, single.url]) {
      statuses.push(await send(url, { query }, acme));
    }
    expect(statuses).toEqual([200, 200, 'REQUEST_RATE_LIMITED', 200, 200]);
    expect(await send(single.url, { query }, { authorization: authorization['one:acme'] })).toBe(200);

    const redis = await connectRedis({ url: server.url, logger: { info() {}, warn() {} } as never });
    await redis.isConnected();
    const keys = await redis.ask((client) => client.keys('*'));
    redis.close();
    expect(new Set(keys.map((key) => /^meridian:(?:budget:)?[^:]+/u.exec(key)?.[0]))).toEqual(
      new Set(
        ['', '@one', '@two'].flatMap((graph) =>
          ['apq', 'plans', 'budget:gateway-tenant'].map((kind) => `meridian:${kind}${graph}`),
        ),
      ),
    );
  });
});
