// Responses of subgraphs in a real Redis. `who-shares.test.ts` has the callers.
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';
import { connectRedis } from '@meridian/shared-state';

import type { ClientSideResponse, TestGatewayOptions } from '../../support/test-gateway.ts';
import { useRedisServer } from '../../support/use-redis-server.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';
import { withHooks } from '../../hooks/with-hooks.ts';
import { requestedIds, respond, responding } from './cached-shop.ts';
import type { Responding } from './cached-shop.ts';

const rated = 'query Rated($first: Int! = 2) { topProducts(first: $first) { id name rating } }';
const whole = { headers: { 'Cache-Control': 'max-age=60, public' } };

const redis = useRedisServer();
const gateway = useTestGateway();

function settings(all = '', others = ''): string {
  return `
response_cache:
  enabled: true
  subgraph: { all: { redis: { urls: ['${redis.url}'], fetch_timeout: 5s, insert_timeout: 5s, required_to_start: true }, ${all} } }
  ${others}
`;
}

async function start(all = '', config = '', options: TestGatewayOptions = {}): Promise<void> {
  await gateway.start({ ...options, config: `${settings(all)}${config}` });
  respond(gateway, whole);
}

/** The number of responses that were kept, or could not be. */
async function writes(): Promise<number> {
  const text = await gateway.metrics();
  const counted = text.matchAll(
    /apollo_router_operations_response_cache_insert(?:_seconds_count|_error_total)\{[^}]*\} (\d+)/g,
  );
  return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Sends a query, and waits until the cache has `kept` further responses. */
async function send(
  query: string,
  {
    kept = 0,
    variables = {},
    headers = {},
  }: { kept?: number; variables?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<ClientSideResponse> {
  const before = await writes();
  const response = await gateway.post({ query, variables }, headers);
  await eventually(async () => expect(await writes()).toBe(before + kept));
  return response;
}

/** The requests that the products subgraph got for a request that follows an equal one. */
async function requestsOf(
  query: string,
  first: Readonly<Record<string, string>>,
  then = first,
): Promise<number> {
  await gateway.post({ query }, first);
  await eventually(async () => expect(await writes()).toBeGreaterThan(0));
  gateway.products.received.length = 0;
  await gateway.post({ query }, then);
  return gateway.products.received.length;
}

describe('A response of a subgraph', () => {
  it('is kept: root fields, and each entity by itself, so that only the missing ones are fetched', async () => {
    await start();
    const { body } = await send(rated, { kept: 2 });
    expect(body.errors).toBeUndefined();
    expect(requestedIds(gateway.reviews)).toEqual([['1', '2']]);
    expect((await send(rated)).body).toEqual(body);
    expect(gateway.products.received).toHaveLength(1);
    expect(gateway.reviews.received).toHaveLength(1);

    const more = await send(rated, { variables: { first: 4 }, kept: 2 });
    expect(more.body.data?.['topProducts']).toEqual(
      ['1', '2', '3', '4'].map((id) => ({ id, name: `Product ${id}`, rating: 4.5 })),
    );
    expect(requestedIds(gateway.reviews)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect((await send(rated, { variables: { first: 4 } })).body).toEqual(more.body);
    expect(await gateway.metrics()).toMatch(
      /apollo_router_response_cache_total\{[^}]*subgraph_name="reviews",cache_hit="true"[^}]*\} 8/,
    );
  });

  it('is kept with all digits of its numbers, and with the texts of other languages', async () => {
    await start();
    gateway.products.misbehave((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ...whole.headers });
      response.end(
        '{"data":{"time":"æ – \\u00e9 \\ud83d\\ude00 \\" }]"},"extensions":{"a":12345678901234567890}}',
      );
    });
    const { body } = await send('query A { time }', { kept: 1 });
    expect(body).toEqual({ data: { time: 'æ – é 😀 " }]' } });
    expect((await send('query A { time }')).body).toEqual(body);
    expect(gateway.products.received).toHaveLength(1);
  });

  it.each<[string, Responding]>([
    ['without Cache-Control', {}],
    ['with no-store', { headers: { 'Cache-Control': 'no-store' } }],
    ['with no-cache', { headers: { 'Cache-Control': 'no-cache, max-age=60' } }],
    ['with max-age=0', { headers: { 'Cache-Control': 'max-age=0' } }],
    ['with a max-age that is none', { headers: { 'Cache-Control': 'max-age=long' } }],
    ['that is too old', { headers: { 'Cache-Control': 'max-age=60', Age: '60' } }],
    ['without a time, where no ttl is configured', { headers: { 'Cache-Control': 'public' } }],
    ['that is private, without private_id', { headers: { 'Cache-Control': 'max-age=60, private' } }],
    ['with a cookie', { headers: { ...whole.headers, 'Set-Cookie': 'a=b' } }],
    ['that varies by everything', { headers: { ...whole.headers, Vary: '*' } }],
    [
      'with errors',
      { ...whole, members: { errors: [{ message: 'partly', path: ['topProducts', 0, 'name'] }] } },
    ],
    ['without data', { ...whole, members: { data: null } }],
  ])('is not kept: %s', async (_what, how) => {
    await start();
    respond(gateway, how);
    await send('query A { topProducts { name } }');
    await send('query A { topProducts { name } }');
    expect(gateway.products.received).toHaveLength(2);
  });

  it.each([
    ['ttl, where it names no time', 'ttl: 60s', 'public'],
    ['s-maxage before max-age', '', 'max-age=0, s-maxage=60'],
  ])('is kept by %s', async (_what, all, cacheControl) => {
    await start(all);
    respond(gateway, { headers: { 'Cache-Control': cacheControl } });
    await send(rated, { kept: 2 });
    await send(rated);
    expect(gateway.products.received).toHaveLength(1);
  });

  it('expires', async () => {
    await start();
    respond(gateway, { headers: { 'Cache-Control': 'max-age=1' } });
    await send(rated, { kept: 2 });
    gateway.products.received.length = 0;
    await eventually(async () => {
      await gateway.post({ query: rated });
      expect(gateway.products.received.length).toBeGreaterThan(0);
    });
  });

  it('is never of a mutation', async () => {
    await start();
    const query = 'mutation M { rename(id: "1", name: "New") { name } }';
    await send(query);
    await send(query);
    expect(gateway.products.received).toHaveLength(2);
  });

  it('gives an error of a partial fetch the place of its entity', async () => {
    await start();
    await send(rated, { kept: 2 });
    gateway.reviews.misbehave((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ...whole.headers });
      response.end(
        '{"data":{"_entities":[{"rating":null},{"rating":1}]},"errors":[{"message":"no rating","path":["_entities",0,"rating"]}]}',
      );
    });
    const { body } = await send(rated, { variables: { first: 4 }, kept: 1 });
    expect(body.errors?.map(({ path }) => path)).toEqual([['topProducts', 2, 'rating']]);
    expect(body.data?.['topProducts']).toMatchObject([4.5, 4.5, null, 1].map((rating) => ({ rating })));
  });

  it('that fails in part leaves what is kept, and is asked for once', async () => {
    await start();
    await send(rated, { kept: 2 });
    gateway.reviews.misbehave((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"data":null,"errors":[{"message":"no reviews"}]}');
    });
    const { body } = await send(rated, { variables: { first: 4 }, kept: 1 });
    expect(body.errors).not.toHaveLength(0);
    expect(body.data?.['topProducts']).toMatchObject([4.5, 4.5, null, null].map((rating) => ({ rating })));
    expect(requestedIds(gateway.reviews)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it.each([
    ['its end is missing', (stored: string) => stored.slice(0, -2)],
    ['it holds more than one', (stored: string) => `${stored},{}`],
    ['another text is in it', (stored: string) => stored.replace('Product 1', 'Product X')],
  ])('is fetched again where Redis has it damaged: %s', async (_what, damage) => {
    await start();
    const { body } = await send(rated, { kept: 2 });
    const ignore = (): void => {};
    const client = await connectRedis({
      url: redis.url,
      timeoutMs: 10_000,
      logger: { info: ignore, warn: ignore },
    });
    await client.isConnected();
    await client.ask(async (calls) => {
      for (const key of await calls.keys('meridian:*:entry:*')) {
        // oxlint-disable-next-line no-await-in-loop -- a few
        await calls.set(key, damage((await calls.get(key)) ?? ''), { KEEPTTL: true });
      }
    });
    client.close();
    expect((await send(rated, { kept: 1 })).body).toEqual(body);
    expect(gateway.products.received).toHaveLength(2);
  });

  it('is kept whatever the trace, also in the field of propagation.request', async () => {
    await start(
      '',
      'telemetry: { exporters: { tracing: { propagation: { trace_context: true, request: { header_name: X-Trace } } } } }',
    );
    await send(rated, { kept: 2 });
    expect(gateway.products.received[0]?.headers['x-trace']).toBeDefined();
    await send(rated);
    expect(gateway.products.received).toHaveLength(1);
  });

  it('lets clients reuse it for no longer than its max-age, whatever s-maxage says', async () => {
    await start('', 'csrf: { unsafe_disabled: true }');
    const query = 'query A { topProducts { name } }';
    respond(gateway, { headers: { 'Cache-Control': 'max-age=5, s-maxage=3600' } });
    const before = await writes();
    await gateway.get({ query });
    await eventually(async () => expect(await writes()).toBe(before + 1));
    const { headers } = await gateway.get({ query });
    expect(headers.get('cache-control')).toMatch(/^max-age=[1-5], public$/);
    expect(gateway.products.received).toHaveLength(1);
  });

  it('tells the client the time that is left, in Cache-Control', async () => {
    await start('', 'csrf: { unsafe_disabled: true }');
    const query = 'query A { topProducts { name } }';
    respond(gateway, { headers: { 'Cache-Control': 'max-age=50, public', Age: '20' } });
    const before = await writes();
    await gateway.get({ query });
    await eventually(async () => expect(await writes()).toBe(before + 1));
    const { headers } = await gateway.get({ query });
    expect(headers.get('cache-control')).toMatch(/^max-age=(?:2\d|30), public$/);
    expect(gateway.products.received).toHaveLength(1);
  });
});

describe('A request shares no response with one that differs in', () => {
  it('a header field that the subgraph gets, unless meridian.response_cache.ignored_headers names it', async () => {
    await start(
      '',
      `
headers: { all: { request: { operations: [ { propagate: { matching: '^x-' } } ] } } }
meridian: { response_cache: { ignored_headers: [X-Request] } }`,
    );
    const fields = { 'x-language': 'da', 'x-request': '1' };
    expect(await requestsOf(rated, fields, { ...fields, 'x-request': '2' })).toBe(0);
    expect(await requestsOf(rated, fields, { ...fields, 'x-language': 'en' })).toBe(1);
  });

  it('a variable, or a selected field', async () => {
    await start();
    await send(rated, { kept: 2 });
    await send(rated, { variables: { first: 1 }, kept: 1 });
    await send('query Rated { topProducts(first: 2) { id } }', { kept: 1 });
    expect(gateway.products.received).toHaveLength(3);
  });

  it('what hooks make of it, or put into apollo::response_cache::key', async () => {
    await gateway.start(
      withHooks(
        `{
          supergraph: { request: ({ headers, context }) => {
            context.set('apollo::response_cache::key', { subgraphs: { products: headers.get('x-edition') } });
          } },
          subgraph: { request: (call) => {
            if (call.subgraph === 'products') {
              call.headers.set('x-made', call.context.get('made') ?? 'here');
            }
          } },
          execution: { request: ({ headers, context }) => { context.set('made', headers.get('x-made')); } },
        }`,
        settings(),
      ),
    );
    respond(gateway, whole);
    expect(await requestsOf(rated, { 'x-edition': '1' })).toBe(0);
    expect(await requestsOf(rated, { 'x-edition': '1' }, { 'x-edition': '2' })).toBe(1);
    expect(await requestsOf(rated, { 'x-edition': '1' }, { 'x-edition': '1', 'x-made': 'there' })).toBe(1);
  });
});

describe('private_id', () => {
  it('may be a key of the context', async () => {
    await gateway.start(
      withHooks(
        `{ supergraph: { request: ({ headers, context }) => {
          context.set('user_id', headers.get('x-user'));
        } } }`,
        settings('private_id: user_id'),
      ),
    );
    respond(gateway, { headers: { 'Cache-Control': 'max-age=60, private' } });
    expect(await requestsOf(rated, { 'x-user': 'alice' })).toBe(0);
    expect(await requestsOf(rated, { 'x-user': 'alice' }, { 'x-user': 'bob' })).toBe(1);
  });
});

describe('Header fields of subgraphs that clients get', () => {
  it('keep a response out of the cache', async () => {
    await start(
      '',
      'meridian: { headers: { all: { response: [ { propagate: { named: x-shard, algorithm: last } } ] } } }',
    );
    await send(rated, { kept: 2 });
    await send(rated);
    expect(gateway.products.received).toHaveLength(1);
    gateway.products.misbehave(responding('products', { headers: { ...whole.headers, 'X-Shard': 'a' } }));
    const other = 'query Other { topProducts { id } }';
    expect((await send(other)).headers.get('x-shard')).toBe('a');
    expect((await send(other)).headers.get('x-shard')).toBe('a');
  });
});

describe('Wishes of a client that subgraphs get', () => {
  it('are followed: no-cache looks nothing up, no-store keeps nothing', async () => {
    await start(
      '',
      'headers: { all: { request: { operations: [ { propagate: { named: cache-control } } ] } } }',
    );
    await send(rated, { headers: { 'cache-control': 'no-store' } });
    await send(rated, { kept: 2 });
    await send(rated, { headers: { 'cache-control': 'no-cache' }, kept: 2 });
    await send(rated);
    expect(gateway.products.received).toHaveLength(3);
  });
});

describe('A Redis that does not respond', () => {
  it.each(['stop', 'freeze'] as const)('%s: subgraphs are asked, and nobody gets an error', async (how) => {
    await gateway.start({ config: settings().replaceAll('timeout: 5s', 'timeout: 500ms') });
    respond(gateway, whole);
    await redis[how]();
    for (let count = 1; count <= 3; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect((await gateway.post({ query: rated })).body.errors).toBeUndefined();
      expect(gateway.products.received).toHaveLength(count);
    }
    expect(await gateway.metrics()).toMatch(
      /apollo_router_operations_response_cache_fetch_error_total\{[^}]*subgraph_name="products"[^}]*\} 3/,
    );
  });
});

describe('meridian-gateway explain', () => {
  it('shows the part of each fetch that came from the cache', async () => {
    const secret = 'a-secret-of-its-own-long-enough';
    await start('', `meridian: { explain: { enabled: true, secret: ${secret} } }`);
    await send(rated, { kept: 2 });
    const { headers } = await send(rated, { variables: { first: 3 }, kept: 2 });
    const id = headers.get('apollo-trace-id');
    await eventually(async () => {
      const response = await fetch(`${gateway.adminUrl}/explain?id=${id}`, {
        headers: { accept: 'text/plain', authorization: `Bearer ${secret}` },
      });
      expect(await response.text()).toContain('ok, 2 of 3 from the cache');
    });
  });
});
