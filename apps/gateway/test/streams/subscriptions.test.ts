// Subscriptions over HTTP, from a client to the subgraphs and back.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { queryObjects } from 'node:v8';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core';
import { createTestIdentity, eventually } from '@meridian/testing';
import { GraphQLSchema } from 'graphql';
import { createClient } from 'graphql-sse';

import { samplesOf } from '../support/samples.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { persisted } from '../support/test-gateway.ts';
import { requestParts } from './read-parts.ts';
import type { StreamingShop } from './streaming-shop.ts';
import {
  knownCallers,
  pricesQuery as query,
  pricesVariables as variables,
  startStreamingShop,
} from './streaming-shop.ts';

const multipart = { Accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json' };
const event = (price: number): object => ({ priceChanged: { id: 'p1', price, name: 'Product p1' } });

const sameAgain = (sdl: string): string => `${sdl}# the same\n`;
const withoutNames = (sdl: string): string =>
  sdl.replace('  name: String @join__field(graph: NAMES)\n', '').replace('  name: String\n', '');
const endedBy = (code: string): object => ({
  value: { payload: null, errors: [{ extensions: { code } }] },
});

let shop: StreamingShop;
const subscribers = (count: number): Promise<void> => shop.subscribers(count);
/** Subscribes, as Apollo's clients do. */
async function subscribe(
  body: object = { query, variables },
  { headers, ...options }: Parameters<typeof requestParts>[2] = {},
) {
  const sent = { ...options, headers: { ...multipart, ...headers } };
  const response = await requestParts(shop.gateway.url, body, sent);
  return { ...response, iterator: response.parts[Symbol.asyncIterator]() };
}

const openCount = async (): Promise<number | undefined> =>
  samplesOf(await shop.gateway.metrics(), 'apollo_router_opened_subscriptions')[0]?.value;
/** Changes the supergraph, and waits for the gateway to have it. */
async function reload(change: (sdl: string) => string): Promise<void> {
  const path = shop.gateway.supergraphPath.replace('supergraph.graphql', 'streaming.graphql');
  await changeFile('supergraph', path, change);
}
/** Changes router.yaml, and waits for the gateway to have it. */
async function reloadConfig(change: (text: string) => string): Promise<void> {
  await changeFile('configuration', shop.gateway.configPath, change);
}
const reloads = (part: string): number =>
  shop.gateway.log.filter(({ msg }) => msg === `${part} reloaded`).length;
async function changeFile(part: string, path: string, change: (text: string) => string): Promise<void> {
  const before = reloads(part);
  await writeFile(path, change(await readFile(path, 'utf8')));
  await eventually(() => expect(reloads(part)).toBe(before + 1));
}

describe('The duration of requests with labels of the file', () => {
  it('has a subscription until its head, once', async () => {
    const attributes = { operation: { operation_name: 'string' } };
    const instruments = { router: { 'http.server.request.duration': { attributes } } };
    await using own = await startStreamingShop({
      config: `telemetry: ${JSON.stringify({ instrumentation: { instruments } })}`,
    });
    const count = async (): Promise<number | undefined> =>
      samplesOf(await own.gateway.metrics(), 'http_server_request_duration_seconds_count').find(
        ({ labels }) => labels['operation'] === 'Prices' && labels['http_response_status_code'] === '200',
      )?.value;
    const { leave } = await requestParts(own.gateway.url, { query, variables }, { headers: multipart });
    expect(await count()).toBe(1);
    leave();
    await own.subscribers(0);
    expect(await count()).toBe(1);
  });
});

describe('A subscription', () => {
  beforeAll(async () => {
    shop = await startStreamingShop({ config: 'batching: { enabled: true }' });
  });
  afterAll(() => shop.close());

  it.each(['fast', 'node'] as const)('gets its events as parts: %s path', async (path) => {
    const { status, headers, iterator } = await subscribe({ query, variables }, { path });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
      'cache-control': 'no-store',
    });
    await subscribers(1);
    shop.feed.push('p1', 10);
    expect(await iterator.next()).toMatchObject({ value: { payload: { data: event(10) } } });
    shop.feed.push('p2', 11);
    shop.feed.push('p1', 12);
    expect(await iterator.next()).toMatchObject({
      value: { payload: { data: event(12), extensions: { cursor: expect.stringMatching(/^\d+$/) } } },
    });
    shop.feed.end();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await subscribers(0);
  });

  it('is measured until its head, not for as long as it is open', async () => {
    const counts = async (): Promise<readonly (number | undefined)[]> => {
      const metrics = await shop.gateway.metrics();
      const requests = samplesOf(metrics, 'http_server_request_duration_seconds_count');
      const operations = samplesOf(metrics, 'meridian_operation_duration_seconds_count');
      return [
        requests.find(({ labels }) => labels['http_response_status_code'] === '200')?.value,
        operations.find(({ labels }) => labels['graphql_operation_name'] === 'Measured')?.value,
      ];
    };
    const [requests = 0] = await counts();
    const { leave } = await subscribe({ query: query.replace('Prices', 'Measured'), variables });
    expect(await counts()).toEqual([requests + 1, 1]);
    leave();
    await subscribers(0);
    expect(await counts()).toEqual([requests + 1, 1]);
  });

  it('gets a heartbeat when nothing happens for a while', async () => {
    const { iterator, leave } = await subscribe({ query, variables }, { hasHeartbeats: true });
    expect(await iterator.next()).toEqual({ done: false, value: {} });
    leave();
    await subscribers(0);
    await shop.gateway.logged({
      operation: 'Prices',
      operationType: 'subscription',
      endReason: 'client_disconnect',
    });
  });

  it('is understood by Apollo Client', async () => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: shop.gateway.url }),
    });
    const seen: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    client
      .subscribe({
        query: gql`
          ${query}
        `,
        variables,
      })
      .subscribe({ next: ({ data }) => void seen.push(data), complete: resolve });
    await subscribers(1);
    shop.feed.push('p1', 1);
    shop.feed.push('p1', 2);
    await eventually(() => expect(seen).toHaveLength(2));
    shop.feed.end();
    await promise;
    expect(seen).toEqual(
      [1, 2].map((price) => ({
        priceChanged: { __typename: 'Product', id: 'p1', price, name: 'Product p1' },
      })),
    );
    client.stop();
  });

  it('is understood by graphql-sse', async () => {
    const client = createClient({ url: shop.gateway.url });
    const results = client.iterate({ query, variables });
    const first = results.next();
    await subscribers(1);
    shop.feed.push('p1', 5);
    expect(await first).toMatchObject({ value: { data: event(5) } });
    shop.feed.end();
    expect(await results.next()).toEqual({ done: true, value: undefined });
    client.dispose();
  });

  it.each([
    ['a rejected subscription', 'subscription A { nothing }', /GRAPHQL_VALIDATION_FAILED/],
    ['a text that is not GraphQL', 'subscription A {', /PARSING_ERROR/],
    ['a query', 'query A { product(id: "p1") { name } }', /^\{"data":\{"product":\{"name":"a b"/],
    ['a query with errors', 'query A { product(id: "p1") { id } }', /"errors":.+"data":\{"product":null/],
  ])('is not the only response that graphql-sse takes at once: %s', async (_what, text, result) => {
    shop.names.misbehave((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ data: { product: { name: 'a b' } } }, undefined, '\r\n'));
    });
    // A retry would throw.
    const retry = (): Promise<never> => Promise.reject(new Error('a retry'));
    const client = createClient({ url: shop.gateway.url, retry });
    const results = client.iterate({ query: text });
    expect(JSON.stringify((await results.next()).value)).toMatch(result);
    expect(await results.next()).toEqual({ done: true, value: undefined });
    client.dispose();
    shop.names.reset();
  });

  it.each([
    ['{', 400],
    [{ query: 'query A { product(id: "p1") { id } }', variables: [] }, 400],
  ])('leaves what is before GraphQL to HTTP, as JSON: %j', async (body, status) => {
    const response = await shop.gateway.send(body, { Accept: 'text/event-stream' });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([status, 'application/json']);
  });

  it('over server-sent events names positions, from which it resumes', async () => {
    const open = (headers: Record<string, string>, members: object = {}): Promise<Response> =>
      shop.gateway.send({ query, variables, ...members }, { Accept: 'text/event-stream', ...headers });
    const response = await open({});
    expect(response.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
    await subscribers(1);
    shop.feed.push('p1', 20);
    shop.feed.push('p1', 21);
    shop.feed.end();
    const text = await response.text();
    const positions = Array.from(text.matchAll(/^id: (\d+)$/gm), ([, position = '']) => position);
    expect(positions).toHaveLength(3);
    // The first position is before any event.
    expect(text).toMatch(
      /^:\n\nid: \d+\n\nevent: next\nid: \d+\ndata: \{"data":.+event: complete\ndata:\n\n$/s,
    );

    const fromStart = await open({ 'Last-Event-ID': positions[0] ?? '' });
    const first = fromStart.body?.pipeThrough(new TextDecoderStream()).getReader();
    let begin = '';
    while (!begin.includes('"price":20')) {
      begin += (await first?.read())?.value ?? '';
    }
    await first?.cancel();
    await subscribers(0);

    const resumed = open({ 'Last-Event-ID': positions[1] ?? '' });
    const again = open({}, { extensions: { resumeAfter: positions[1] } });
    await subscribers(1);
    await eventually(() => expect(shop.gateway.log.length).toBeGreaterThan(0));
    for (const reader of [(await resumed).body, (await again).body]) {
      const chunks = reader?.pipeThrough(new TextDecoderStream()).getReader();
      let seen = '';
      while (!seen.includes('"price":21')) {
        seen += (await chunks?.read())?.value ?? '';
      }
      expect(seen).not.toContain('"price":20');
      await chunks?.cancel();
    }
    await subscribers(0);
  });

  it('by GET serves an EventSource, and no page of another site', async () => {
    const url = `${shop.gateway.url}?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`;
    const headers = { Accept: 'text/event-stream' };
    const blocked = await fetch(url, { headers });
    expect(blocked.status).toBe(400);
    const response = await fetch(url, { headers: { ...headers, 'apollo-require-preflight': 'yes' } });
    expect(response.status).toBe(200);
    await response.body?.cancel();
    await subscribers(0);
  });

  it('is rejected in a batch, whatever the client takes', async () => {
    const { body } = await shop.gateway.post([{ query, variables }], multipart);
    expect(body).toMatchObject([{ errors: [{ extensions: { code: 'BATCHING_SUBSCRIPTION_UNSUPPORTED' } }] }]);
  });

  it('gets 406 SUBSCRIPTION_BAD_HEADER for a client that takes no events', async () => {
    const { status, code } = await shop.gateway.post({ query, variables }, { Accept: 'application/json' });
    expect({ status, code }).toEqual({ status: 406, code: 'SUBSCRIPTION_BAD_HEADER' });
  });

  it('gets the masked errors of a subgraph that refuses it', async () => {
    const { parts } = await subscribe({ query: 'subscription Refused { refused { id } }' });
    const all: unknown[] = [];
    for await (const part of parts) {
      all.push(part);
    }
    expect(all).toMatchObject([
      {
        payload: {
          data: null,
          errors: [{ message: 'The subgraph reported an error', extensions: { code: 'FORBIDDEN' } }],
        },
      },
    ]);
  });

  it('gets a null, and stays open, where an entity fetch of an event fails', async () => {
    shop.names.misbehave((response) => void response.writeHead(500).end());
    const { iterator, leave } = await subscribe();
    await subscribers(1);
    shop.feed.push('p1', 1);
    expect(await iterator.next()).toMatchObject({
      value: {
        payload: {
          data: { priceChanged: { price: 1, name: null } },
          errors: [{ path: ['priceChanged', 'name'], extensions: { code: 'SUBREQUEST_HTTP_ERROR' } }],
        },
      },
    });
    shop.names.reset();
    shop.feed.push('p1', 2);
    expect(await iterator.next()).toMatchObject({ value: { payload: { data: event(2) } } });
    leave();
    await subscribers(0);
  });

  it('leaves nothing behind: a hundred come and go', async () => {
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const { leave } = await subscribe(
          { query, variables: { id: `p${index}` } },
          { path: index % 2 === 0 ? 'fast' : 'node' },
        );
        leave();
      }),
    );
    await subscribers(0);
    await eventually(async () => expect(await openCount()).toBe(0));
    const ends = samplesOf(await shop.gateway.metrics(), 'meridian_subscription_ends_total');
    expect(
      ends.find(({ labels }) => labels['apollo_subscription_end_reason'] === 'server_close')?.value,
    ).toBeGreaterThan(0);
  });

  it('is kept over a new supergraph with the same plan, and ended by another one, and by a new configuration', async () => {
    const named = await subscribe();
    const unnamed = await subscribe({ query: 'subscription Unnamed { priceChanged(id: "p1") { price } }' });
    const [namedParts, unnamedParts] = [named, unnamed].map(({ iterator }) => iterator);
    await subscribers(2);

    await reload(sameAgain);
    shop.feed.push('p1', 30);
    expect(await namedParts?.next()).toMatchObject({ value: { payload: { data: event(30) } } });
    await unnamedParts?.next();

    await reload(withoutNames);
    expect(await namedParts?.next()).toMatchObject({
      value: { payload: null, errors: [{ extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' } }] },
    });
    shop.feed.push('p1', 31);
    expect(await unnamedParts?.next()).toMatchObject({
      value: { payload: { data: { priceChanged: { price: 31 } } } },
    });

    await appendFile(shop.gateway.configPath, '\n# changed\n');
    expect(await unnamedParts?.next()).toMatchObject({
      value: { payload: null, errors: [{ extensions: { code: 'SUBSCRIPTION_CONFIG_RELOAD' } }] },
    });
    expect(await unnamedParts?.next()).toMatchObject({ done: true });
  });
});

describe('A subscription over a new supergraph', () => {
  afterEach(() => shop.close());

  it.each([
    '',
    'telemetry: { instrumentation: { instruments: { router: { http.server.request.duration: { attributes: { operation: { operation_name: string } } } } } } }',
  ])('keeps nothing of the graphs that it outlives, and shares its stream: %s', async (config) => {
    shop = await startStreamingShop({ config });
    await reload(sameAgain);
    const before = queryObjects(GraphQLSchema, { format: 'count' });
    const streams = [];
    for (let count = 1; count <= 4; count += 1) {
      streams.push(await subscribe());
      shop.feed.push('p1', count);
      await Promise.all(streams.map(({ iterator }) => iterator.next()));
      await reload(sameAgain);
    }
    // Fewer where an earlier gateway was still there before.
    await eventually(() =>
      expect(queryObjects(GraphQLSchema, { format: 'count' })).toBeLessThanOrEqual(before),
    );
    await subscribers(1);
    const requests = shop.names.received.length;
    shop.feed.push('p1', 5);
    expect(await Promise.all(streams.map(({ iterator }) => iterator.next()))).toMatchObject(
      streams.map(() => ({ value: { payload: { data: event(5) } } })),
    );
    expect(shop.names.received.length - requests).toBe(1);
    streams.forEach(({ leave }) => leave());
    await subscribers(0);
  });

  it.each([
    ['supergraph', 'SUBSCRIPTION_SCHEMA_RELOAD', () => reload(withoutNames)],
    ['configuration', 'SUBSCRIPTION_CONFIG_RELOAD', () => reloadConfig((text) => `${text}\n# changed\n`)],
  ])('ends where it was opening while the %s changed', async (_part, code, change) => {
    shop = await startStreamingShop();
    const { arrived, release } = shop.hold();
    const opening = subscribe();
    await arrived;
    await change();
    release();
    const { iterator } = await opening;
    expect(await iterator.next()).toMatchObject(endedBy(code));
    await subscribers(0);
  });

  it('goes on where it was opening while the supergraph changed, and has the new graph', async () => {
    shop = await startStreamingShop();
    const { arrived, release } = shop.hold();
    const opening = subscribe();
    await arrived;
    await reload(sameAgain);
    release();
    const { iterator, leave } = await opening;
    await subscribers(1);
    shop.feed.push('p1', 1);
    expect(await iterator.next()).toMatchObject({ value: { payload: { data: event(1) } } });
    await reload(withoutNames);
    expect(await iterator.next()).toMatchObject(endedBy('SUBSCRIPTION_SCHEMA_RELOAD'));
    leave();
    await subscribers(0);
  });

  it('ends where its operation costs more than a new request may', async () => {
    shop = await startStreamingShop({
      config:
        'demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 100 } } }',
    });
    const { iterator } = await subscribe();
    await subscribers(1);
    const costly = shop.compose((sdl) =>
      sdl.replace('"@key"', '"@key", "@cost"').replace('price: Int', 'price: Int @cost(weight: 1000)'),
    );
    await reload(() => costly);
    expect(await iterator.next()).toMatchObject(endedBy('SUBSCRIPTION_SCHEMA_RELOAD'));
    await subscribers(0);
  });

  it('counts its events by the new cost', async () => {
    shop = await startStreamingShop({
      config: 'traffic_shaping: { router: { global_rate_limit: { capacity: 100, interval: 60s } } }',
      meridian: 'throttle: { unit: cost }',
    });
    const { iterator, leave } = await subscribe();
    await subscribers(1);
    const costly = shop.compose((sdl) =>
      sdl.replace('"@key"', '"@key", "@cost"').replace('price: Int', 'price: Int @cost(weight: 90)'),
    );
    await reload(() => costly);
    shop.feed.push('p1', 1);
    expect(await iterator.next()).toMatchObject({ value: { payload: { data: event(1) } } });
    const fields = Array.from({ length: 20 }, (_, index) => `a${index}: cheapest { id }`).join(' ');
    const rejected = await shop.gateway.post({ query: `query Many { ${fields} }` });
    expect(rejected.code).toBe('REQUEST_RATE_LIMITED');
    leave();
    await subscribers(0);
  });

  it('ends where the manifest has withdrawn its operation', async () => {
    await using identity = await createTestIdentity();
    const { config = '', ...options } = knownCallers(identity);
    shop = await startStreamingShop({
      ...options,
      config: config.replace('local_manifests', 'hot_reload: true\n        local_manifests'),
    });
    const { manifestPath } = shop.gateway;
    const { iterator } = await subscribe(persisted('costs'), {
      headers: { Authorization: `Bearer ${await identity.token({ ttlSeconds: 600 })}` },
    });
    await subscribers(1);
    await changeFile('manifest', manifestPath, (text) =>
      text.replaceAll('Costs', 'Others').replaceAll('costs', 'others'),
    );
    await reload(sameAgain);
    expect(await iterator.next()).toMatchObject(endedBy('SUBSCRIPTION_SCHEMA_RELOAD'));
    await subscribers(0);
  });

  it('goes on with more different operations than may wait to be planned', async () => {
    shop = await startStreamingShop({ config: 'supergraph: { query_planning: { warmed_up_queries: 0 } }' });
    const streams = await Promise.all(
      Array.from({ length: 260 }, async (_, index) => {
        const { iterator, leave } = await subscribe({
          query: `subscription S${index} { a${index}: priceChanged(id: "p1") { price } }`,
        });
        return { first: iterator.next(), leave };
      }),
    );
    await reload(sameAgain);
    shop.feed.push('p1', 1);
    expect(await Promise.all(streams.map(({ first }) => first))).toMatchObject(
      streams.map((_, index) => ({ value: { payload: { data: { [`a${index}`]: { price: 1 } } } } })),
    );
    streams.forEach(({ leave }) => leave());
    await subscribers(0);
  });
});

describe('A replaced configuration', () => {
  it('reads no supergraph any more, while a request keeps it', async () => {
    shop = await startStreamingShop({
      config: 'headers: { all: { request: [{ insert: { name: x-config, value: old } }] } }',
    });
    const held = Promise.withResolvers<ServerResponse>();
    shop.names.misbehave((response) => held.resolve(response));
    const slow = shop.gateway.post({ query: 'query Slow { product(id: "p1") { name } }' });
    const response = await held.promise;
    shop.names.reset();
    await reloadConfig((text) => text.replace('value: old', 'value: new'));

    const { iterator, leave } = await subscribe();
    await subscribers(1);
    await reload(sameAgain);
    await reload(sameAgain);
    shop.feed.push('p1', 1);
    expect(await iterator.next()).toMatchObject({ value: { payload: { data: event(1) } } });
    expect(shop.names.received.at(-1)?.headers['x-config']).toBe('new');
    leave();
    await subscribers(0);
    response.end('{"data":{"product":{"name":"late"}}}');
    await slow;
    await shop.close();
    expect(reloads('supergraph')).toBe(2);
  });
});

describe('Subscriptions of known callers', () => {
  const identity = useInSuite(createTestIdentity);
  beforeAll(async () => {
    shop = await startStreamingShop(knownCallers(identity));
  });
  afterAll(() => shop.close());

  it('run by persisted identifier, without the fields that the caller may not see, until the token expires', async () => {
    const token = await identity.token({ ttlSeconds: 4, scopes: [] });
    const { status, iterator } = await subscribe(persisted('costs'), {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(status).toBe(200);
    await subscribers(1);
    shop.feed.push('p1', 3);
    expect(await iterator.next()).toMatchObject({
      value: {
        payload: {
          data: { priceChanged: { price: 3, cost: null } },
          errors: [{ path: ['priceChanged', 'cost'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
        },
      },
    });
    expect(await iterator.next()).toMatchObject({
      value: { payload: null, errors: [{ extensions: { code: 'SUBSCRIPTION_JWT_EXPIRED' } }] },
    });
    expect(await iterator.next()).toMatchObject({ done: true });
    await subscribers(0);
  });
});

describe('Limits on subscriptions', () => {
  it('count each event against the throttle: one too many waits', async () => {
    shop = await startStreamingShop({
      config: `
      traffic_shaping: { router: { global_rate_limit: { capacity: 2, interval: 2s } } }
      `,
    });
    const { iterator, leave } = await subscribe({
      query: 'subscription A { priceChanged(id: "p1") { price } }',
    });
    await subscribers(1);
    shop.feed.push('p1', 1);
    expect(await iterator.next()).toMatchObject({
      value: { payload: { data: { priceChanged: { price: 1 } } } },
    });
    // The start and one event are the whole capacity.
    const rejected = await shop.gateway.post({ query: 'query A { cheapest { id } }' });
    expect(rejected.code).toBe('REQUEST_RATE_LIMITED');
    const startedMs = performance.now();
    shop.feed.push('p1', 2);
    expect(await iterator.next()).toMatchObject({
      value: { payload: { data: { priceChanged: { price: 2 } } } },
    });
    expect(performance.now() - startedMs).toBeGreaterThan(500);
    leave();
    await subscribers(0);
    await shop.close();
  });

  it('hold for a client that stops reading: it loses its oldest events, and no memory grows', async () => {
    shop = await startStreamingShop({ subscription: 'queue_capacity: 5' });
    const { leave, pause } = await subscribe({
      query: 'subscription A { priceChanged(id: "p1") { price note } }',
    });
    pause();
    await subscribers(1);
    for (let price = 1; price <= 400; price += 1) {
      shop.feed.push('p1', price);
    }
    await eventually(async () => {
      const dropped = samplesOf(await shop.gateway.metrics(), 'apollo_router_skipped_event_count_total');
      expect(dropped[0]?.value).toBeGreaterThan(100);
    });
    leave();
    await subscribers(0);
    await shop.close();
  });

  it('of a process and of a tenant are 503 SUBSCRIPTION_MAX_LIMIT', async () => {
    for (const limits of [
      { subscription: 'max_opened_subscriptions: 1' },
      { ownSubscription: 'max_per_tenant: 1' },
    ]) {
      shop = await startStreamingShop(limits);
      const { leave } = await subscribe();
      await subscribers(1);
      const { status, code, headers } = await shop.gateway.post({ query, variables }, multipart);
      expect({ status, code, retryAfter: headers.get('Retry-After') }).toEqual({
        status: 503,
        code: 'SUBSCRIPTION_MAX_LIMIT',
        retryAfter: '5',
      });
      leave();
      await eventually(async () => expect(await openCount()).toBe(0));
      const again = await subscribe();
      expect(again.status).toBe(200);
      again.leave();
      await shop.close();
    }
  });

  it('end one that was open for max_lifetime', async () => {
    shop = await startStreamingShop({ subscription: 'max_lifetime: 2s' });
    const { iterator } = await subscribe();
    await subscribers(1);
    shop.feed.push('p1', 1);
    expect(await iterator.next()).toMatchObject({ value: { payload: { data: event(1) } } });
    expect(await iterator.next()).toMatchObject({
      value: { payload: null, errors: [{ extensions: { code: 'SUBSCRIPTION_MAX_LIFETIME_EXCEEDED' } }] },
    });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await subscribers(0);
    const ends = samplesOf(await shop.gateway.metrics(), 'meridian_subscription_ends_total');
    expect(ends).toMatchObject([{ labels: { apollo_subscription_end_reason: 'max_lifetime' }, value: 1 }]);
    await shop.close();
  });
});
