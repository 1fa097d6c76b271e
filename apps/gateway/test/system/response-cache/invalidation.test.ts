import { readFile } from 'node:fs/promises';

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';
import { eventually } from '@meridian/testing';
import type { RedisConnection } from '@meridian/shared-state';
import { connectRedis } from '@meridian/shared-state';

import { useRedisServer } from '../../support/use-redis-server.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';
import { replaceFile } from '../../support/replace-file.ts';
import { requestedIds, respond, responding } from './cached-shop.ts';

const rated = 'query Rated { topProducts(first: 2) { id name rating } }';
const whole = { headers: { 'Cache-Control': 'max-age=60, public' } };
const sharedKey = 'the-key-of-all';

let port: number;
const redis = useRedisServer();
const gateway = useTestGateway();

beforeAll(async () => {
  port = await findFreePort();
});

async function start(section = 'response_cache', listen = `127.0.0.1:${port}`): Promise<void> {
  await gateway.start({
    config: `
${section}:
  enabled: true
  invalidation: { listen: '${listen}', path: /invalidation }
  subgraph:
    all:
      redis: { urls: ['${redis.url}'], required_to_start: true, namespace: ours }
      ttl: 60s
      invalidation: { enabled: true, shared_key: ${sharedKey} }
    subgraphs:
      products: { invalidation: { shared_key: of-products } }
`,
  });
  respond(gateway, whole);
}

interface Outcome {
  readonly status: number;
  readonly body: { readonly count?: number; readonly errors?: readonly { readonly message: string }[] };
}

async function invalidate(
  body: unknown,
  key: string | undefined = sharedKey,
  method = 'POST',
): Promise<Outcome> {
  const response = await fetch(`http://127.0.0.1:${port}/invalidation`, {
    method,
    headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: key }) },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Outcome['body'] };
}

/** Sends the query until both subgraphs' responses are kept. */
async function fill(): Promise<void> {
  await eventually(async () => {
    gateway.products.received.length = 0;
    gateway.reviews.received.length = 0;
    await gateway.post({ query: rated });
    expect([...gateway.products.received, ...gateway.reviews.received]).toEqual([]);
  });
}

/** The requests to products, and the entities that reviews was asked for. */
async function fetchedAgain(): Promise<readonly unknown[]> {
  await gateway.post({ query: rated });
  return [gateway.products.received.length, ...requestedIds(gateway.reviews)];
}

describe('An invalidation removes', () => {
  beforeAll(() => start());
  beforeEach(() => respond(gateway, whole));

  it.each([
    ['all of a subgraph', { kind: 'subgraph', subgraph: 'reviews' }, 2, [0, ['1', '2']]],
    ['a type', { kind: 'type', subgraph: 'reviews', type: 'Product' }, 2, [0, ['1', '2']]],
    ['another type', { kind: 'type', subgraph: 'reviews', type: 'Review' }, 0, [0]],
    ['an entity', { kind: 'entity', subgraph: 'reviews', type: 'Product', key: { id: 2 } }, 1, [0, ['2']]],
    [
      'an entity, by Router 2’s other notation',
      { kind: 'subgraph', subgraph: 'reviews', type: 'Product', key: { id: '1' } },
      1,
      [0, ['1']],
    ],
    ['a tag that no response has', { kind: 'cache_tag', subgraphs: ['reviews'], cache_tag: 'none' }, 0, [0]],
  ])('%s', async (_what, invalidation, count, again) => {
    await fill();
    expect(await invalidate([invalidation])).toEqual({ status: 202, body: { count } });
    expect(await fetchedAgain()).toEqual(again);
  });

  it('root fields by their type, with the key of their subgraph', async () => {
    await fill();
    const list = [{ kind: 'type', subgraph: 'products', type: 'Query' }];
    expect((await invalidate(list)).status).toBe(401);
    expect(await invalidate(list, 'of-products')).toEqual({ status: 202, body: { count: 1 } });
    expect(await fetchedAgain()).toEqual([1]);
  });

  it('what has a tag that a response has named, of an entity or of root fields', async () => {
    gateway.products.misbehave(
      responding('products', { ...whole, members: { extensions: { apolloCacheTags: ['home'] } } }),
    );
    gateway.reviews.misbehave(
      responding('reviews', {
        ...whole,
        members: { extensions: { apolloEntityCacheTags: [['one'], ['two', 'both']] } },
      }),
    );
    await fill();
    const tagged = (subgraph: string, cache_tag: string): object => ({
      kind: 'cache_tag',
      subgraphs: [subgraph],
      cache_tag,
    });
    expect(await invalidate([tagged('reviews', 'two'), tagged('reviews', 'both')])).toMatchObject({
      body: { count: 1 },
    });
    expect(await fetchedAgain()).toEqual([0, ['2']]);
    expect(await invalidate([tagged('products', 'home')], 'of-products')).toMatchObject({
      body: { count: 1 },
    });
    // Not the place where Redis has the time of that invalidation.
    expect(await invalidate([tagged('products', 'home:at')], 'of-products')).toMatchObject({
      body: { count: 0 },
    });
  });
});

describe('The endpoint of invalidations', () => {
  beforeAll(() => start());
  beforeEach(() => respond(gateway, whole));

  it.each([
    ['without a key', [], '', 'POST', 401, 'Missing authorization header'],
    [
      'with a wrong key',
      [{ kind: 'subgraph', subgraph: 'reviews' }],
      'wrong',
      'POST',
      401,
      'Invalid authorization header',
    ],
    [
      'with a wrong key, and a body that is never read',
      '[',
      'wrong',
      'POST',
      401,
      'Invalid authorization header',
    ],
    ['with a wrong key, and nothing to invalidate', [], 'wrong', 'POST', 401, 'Invalid authorization header'],
    ['that is a GET', [], sharedKey, 'GET', 405, 'An invalidation is a POST'],
    [
      'with another body than JSON',
      '[',
      sharedKey,
      'POST',
      400,
      'failed to deserialize the request body into JSON',
    ],
    ['with another value than a list', {}, sharedKey, 'POST', 400, 'expected an array'],
    [
      'of an unknown kind',
      [{ kind: 'all', subgraph: 'reviews' }],
      sharedKey,
      'POST',
      400,
      'item 0 is not an invalidation',
    ],
  ])('rejects a request %s', async (_what, body, key, method, status, message) => {
    const outcome = await invalidate(body, key, method);
    expect(outcome.status).toBe(status);
    expect(outcome.body.errors?.[0]?.message).toContain(message);
  });

  it('works where Redis is full', async () => {
    await start();
    await fill();
    await ask((calls) => calls.configSet({ maxmemory: '1', 'maxmemory-policy': 'noeviction' }));
    expect(await invalidate([{ kind: 'subgraph', subgraph: 'reviews' }])).toEqual({
      status: 202,
      body: { count: 2 },
    });
    expect(await invalidate([{ kind: 'subgraph', subgraph: 'reviews' }])).toEqual({
      status: 202,
      body: { count: 0 },
    });
  });

  it('has the keys of the configuration in force, and a rejected one can be followed by another', async () => {
    await start();
    await fill();
    const text = await readFile(gateway.configPath, 'utf8');
    const list = [{ kind: 'type', subgraph: 'reviews', type: 'None' }];
    const write = async (next: string): Promise<void> => {
      await replaceFile(gateway.configPath, next);
    };
    const own = text
      .replaceAll('namespace: ours', 'fetch_timeout: 200ms, namespace: theirs')
      .replaceAll(sharedKey, 'new');
    await redis.stop();
    await write(own);
    await eventually(() =>
      expect(gateway.log.map(({ err }) => JSON.stringify(err ?? '')).join()).toContain('required_to_start'),
    );
    expect((await invalidate(list, 'new')).status).toBe(401);
    await redis.start();
    await eventually(async () => expect((await invalidate(list)).status).toBe(202));
    await write(`${own}\n`);
    await eventually(async () => expect((await invalidate(list, 'new')).status).toBe(202));
    expect((await invalidate(list)).status).toBe(401);
    // Its own connection, and the one that asks: the one of the earlier settings is closed.
    await eventually(async () => expect(await ask((calls) => calls.clientList())).toHaveLength(2));
  });

  it('says when Redis does not respond', async () => {
    await start();
    redis.freeze();
    expect((await invalidate([{ kind: 'subgraph', subgraph: 'reviews' }])).status).toBe(503);
  });

  it('may have the address of clients', async () => {
    await start('response_cache', '127.0.0.1:4000');
    await fill();
    const response = await fetch(gateway.url.replace('/graphql', '/invalidation'), {
      method: 'POST',
      headers: { authorization: sharedKey },
      body: '[{"kind":"subgraph","subgraph":"reviews"}]',
    });
    expect([response.status, await response.json()]).toEqual([202, { count: 2 }]);
  });
});

describe('A response that was fetched while its data was invalidated', () => {
  it('is not kept', async () => {
    await start();
    let hasInvalidated = false;
    gateway.reviews.misbehave(
      responding('reviews', {
        ...whole,
        async before() {
          if (!hasInvalidated) {
            hasInvalidated = true;
            await invalidate([{ kind: 'entity', subgraph: 'reviews', type: 'Product', key: { id: '1' } }]);
          }
        },
      }),
    );
    await gateway.post({ query: rated });
    await eventually(async () => expect(await keysOf('entry')).toHaveLength(2));
    expect(await fetchedAgain()).toEqual([1, ['1', '2'], ['1']]);
  });
});

describe('extensions.invalidation of a response', () => {
  it('removes what it names, before the client has the response; also by the keys of Router 2’s entity cache', async () => {
    await start('preview_entity_cache');
    await fill();
    gateway.products.misbehave(
      responding('products', {
        members: {
          extensions: {
            invalidation: [{ kind: 'entity', subgraph: 'reviews', type: 'Product', key: { id: '2' } }],
          },
        },
      }),
    );
    await gateway.post({ query: 'mutation M { rename(id: "2", name: "New") { name } }' });
    gateway.products.received.length = 0;
    expect(await fetchedAgain()).toEqual([0, ['2']]);
    expect(await gateway.metrics()).toMatch(
      /apollo_router_operations_response_cache_invalidation_event_total\{[^}]*origin="extensions"[^}]*\} 1/,
    );
  });

  it('is followed where the rest of the response was kept', async () => {
    await start();
    await fill();
    await invalidate([{ kind: 'entity', subgraph: 'reviews', type: 'Product', key: { id: '2' } }]);
    gateway.reviews.misbehave(
      responding('reviews', {
        ...whole,
        members: {
          extensions: {
            invalidation: [{ kind: 'entity', subgraph: 'reviews', type: 'Product', key: { id: '1' } }],
          },
        },
      }),
    );
    expect(await fetchedAgain()).toEqual([0, ['2']]);
    gateway.reviews.received.length = 0;
    expect(await fetchedAgain()).toEqual([0, ['1']]);
  });
});

function keysOf(kind: string): Promise<readonly string[]> {
  return ask((calls) => calls.keys(`meridian:ours:*:${kind}:*`));
}

async function ask<Result>(call: (calls: RedisConnection['client']) => Promise<Result>): Promise<Result> {
  const ignore = (): void => {};
  const client = await connectRedis({
    url: redis.url,
    timeoutMs: 10_000,
    logger: { info: ignore, warn: ignore },
  });
  await client.isConnected();
  const result = await client.ask(call);
  client.close();
  return result;
}
