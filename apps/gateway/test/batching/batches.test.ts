import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { ApolloClient, CombinedGraphQLErrors, InMemoryCache, gql } from '@apollo/client/core';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { describe, expect, it } from '@jest/globals';

import { splitArray } from '../../src/batching/serve-batches.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { persisted } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

interface ItemResponse {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

const on = 'batching: { enabled: true, mode: batch_http_link, maximum_size: 5 }';
const time = { query: 'query A { time }' };
const product = { query: 'query P($id: ID!) { product(id: $id) { id } }', variables: { id: '7' } };

const gateway = useTestGateway();

async function send(batch: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return await gateway.send(typeof batch === 'string' ? batch : JSON.stringify(batch), headers);
}

async function itemsOf(
  batch: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<readonly ItemResponse[]> {
  return (await (await send(batch, headers)).json()) as readonly ItemResponse[];
}

function outcome({ data, errors }: ItemResponse): unknown {
  return errors?.[0]?.extensions.code ?? data;
}

describe('A batch', () => {
  it('of an unmodified Apollo Client with BatchHttpLink gets the result of each operation', async () => {
    await gateway.start({ config: on });
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new BatchHttpLink({ uri: gateway.url, batchMax: 3, batchInterval: 1000 }),
    });
    const results = await Promise.allSettled([
      client.query({ query: gql('query A { time }') }),
      client.query({ query: gql('query B { nothing }') }),
      client.mutate({ mutation: gql('mutation C { rename(id: 1, name: "x") { id name } }') }),
    ]);
    expect(results[0]).toMatchObject({ value: { data: { time: 'now' } } });
    expect(results[1]).toMatchObject({ reason: expect.any(CombinedGraphQLErrors) });
    expect(results[2]).toMatchObject({ value: { data: { rename: { id: '1', name: 'x' } } } });
    const requests = gateway.log.filter(({ route }) => route !== undefined);
    expect(requests).toHaveLength(4);
  });

  it('has the results in its order, each with its own failure', async () => {
    await gateway.start({ config: on });
    const response = await send([time, { query: '{' }, product, { query: 7 }, [time]]);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([200, 'application/json', 'no-store']);
    expect(((await response.json()) as ItemResponse[]).map(outcome)).toEqual([
      { time: 'now' },
      'PARSING_ERROR',
      { product: { id: '7' } },
      'BAD_REQUEST',
      'BAD_REQUEST',
    ]);
  });

  it.each([
    ['chunked, as node:http serves it', { 'Transfer-Encoding': 'chunked' }, (body: string) => body],
    ['compressed', { 'Content-Encoding': 'gzip' }, (body: string) => gzipSync(body)],
  ])('may be %s', async (_name, headers, encode) => {
    await gateway.start({ config: on });
    const request = httpRequest(gateway.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    request.end(encode(JSON.stringify([time, time])));
    const [response] = (await once(request, 'response')) as [Parameters<typeof text>[0]];
    expect(JSON.parse(await text(response))).toEqual([{ data: { time: 'now' } }, { data: { time: 'now' } }]);
  });

  it.each([
    ['with too many operations', Array.from({ length: 6 }, () => time), 'BATCH_LIMIT_EXCEEDED'],
    ['without operations', [], 'BAD_REQUEST'],
    ['that is not JSON', '[{]', 'BAD_REQUEST'],
  ])('%s is rejected as a whole', async (_name, batch, code) => {
    await gateway.start({ config: on });
    expect((await gateway.post(batch)).code).toBe(code);
    expect(gateway.products.received).toEqual([]);
  });

  it('is rejected where batches are not enabled', async () => {
    await gateway.start();
    expect((await gateway.post([time])).code).toBe('BATCHING_NOT_ENABLED');
  });

  it('has no response in parts', async () => {
    await gateway.start({ config: on });
    const accept = 'multipart/mixed;deferSpec=20220824,multipart/mixed;subscriptionSpec=1.0,application/json';
    const responses = await itemsOf([{ query: 'query A { ... @defer { time } }' }, time], { Accept: accept });
    expect(responses.map(outcome)).toEqual(['BATCHING_DEFER_UNSUPPORTED', { time: 'now' }]);
  });

  it('counts in the throttle as its operations', async () => {
    await gateway.start({
      config: `${on}\ntraffic_shaping: { router: { global_rate_limit: { capacity: 3, interval: 1h } } }`,
    });
    const responses = await itemsOf([time, time, time, time, time]);
    expect(responses.map(outcome)).toEqual([
      ...Array.from({ length: 3 }, () => ({ time: 'now' })),
      'REQUEST_RATE_LIMITED',
      'REQUEST_RATE_LIMITED',
    ]);
  });

  it('counts in the load limit as its operations', async () => {
    await gateway.start({ config: `${on}\ntraffic_shaping: { router: { concurrency_limit: 2 } }` });
    expect((await itemsOf([product, product, product])).map(outcome)).toEqual([
      { product: { id: '7' } },
      { product: { id: '7' } },
      'REQUEST_CONCURRENCY_LIMITED',
    ]);
    // Every place is free again.
    expect((await itemsOf([product, product])).map(outcome)).not.toContain('REQUEST_CONCURRENCY_LIMITED');
  });

  it('has each operation limited, priced and compared with the safelist', async () => {
    await gateway.start({
      config: `${on}
limits: { max_aliases: 1 }
demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 5 } } }
persisted_queries: { enabled: true, local_manifests: ["\${env.MANIFEST_PATH}"], safelist: { enabled: true } }`,
      manifest: {
        listed: 'query Listed { time }',
        expensive: 'query Expensive { topProducts(first: 9) { id } }',
        aliased: 'query Aliased { a: time b: time }',
      },
    });
    const responses = await itemsOf([
      persisted('listed'),
      persisted('expensive'),
      persisted('aliased'),
      time,
    ]);
    expect(responses.map(outcome)).toEqual([
      { time: 'now' },
      'COST_ESTIMATED_TOO_EXPENSIVE',
      'MAX_ALIASES_LIMIT',
      'QUERY_NOT_IN_SAFELIST',
    ]);
  });

  it('has one deadline, at which finished operations keep their results', async () => {
    await gateway.start({ config: `${on}\ntraffic_shaping: { router: { timeout: 300ms } }` });
    gateway.reviews.misbehave(() => undefined);
    const responses = await itemsOf([time, { query: 'query R { product(id: 1) { rating } }' }]);
    expect(responses.map(outcome)).toEqual([{ time: 'now' }, 'GATEWAY_TIMEOUT']);
  });

  it('is cancelled with all its operations when the client hangs up', async () => {
    await gateway.start({ config: on });
    const received = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    gateway.reviews.misbehave((response) => {
      response.on('close', () => cancelled.resolve());
      received.resolve();
    });
    const client = new AbortController();
    const responded = gateway
      .send([{ query: 'query R { product(id: 1) { rating } }' }, time], {}, client.signal)
      .catch(() => 'aborted');
    await received.promise;
    client.abort();
    await cancelled.promise;
    expect(await responded).toBe('aborted');
  });

  it('is compressed as a whole, unless it has a mutation', async () => {
    await gateway.start({ config: `${on}\nmeridian: { compression: { min_size: 1B } }` });
    const codingOf = async (batch: unknown): Promise<string | null> =>
      (await send(batch, { 'Accept-Encoding': 'gzip' })).headers.get('content-encoding');
    const mutation = { query: 'mutation C { rename(id: 1, name: "x") { id } }' };
    expect([await codingOf([time, product]), await codingOf([time, mutation])]).toEqual(['gzip', null]);
  });

  it('is masked, each operation for itself', async () => {
    await gateway.start({ config: on });
    gateway.reviews.misbehave((response) =>
      respondJson(response, { data: null, errors: [{ message: 'SQL', extensions: { code: 'SECRET' } }] }),
    );
    const responses = await itemsOf([{ query: 'query R { product(id: 1) { rating } }' }, time]);
    expect(responses.map(outcome)).toEqual(['INTERNAL_SERVER_ERROR', { time: 'now' }]);
    expect(JSON.stringify(responses)).not.toMatch(/SQL|SECRET/u);
  });
});

describe('splitArray', () => {
  it.each([
    ['[]', []],
    [' [ {"a":[1,2]} , "x,]\\"" ] ', ['{"a":[1,2]}', String.raw`"x,]\""`]],
    [String.raw`[{"a":"\\"},12345678901234567890.10]`, [String.raw`{"a":"\\"}`, '12345678901234567890.10']],
    ['[[[]],{"é":"}"}]', ['[[]]', '{"é":"}"}']],
  ])('keeps items as they are written: %s', (array, items) => {
    expect(
      splitArray(Buffer.from(array))
        .map((item) => item.toString().trim())
        .filter(Boolean),
    ).toEqual(items);
  });
});
