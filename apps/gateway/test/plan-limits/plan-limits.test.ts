// The limits that depend on the plan of an operation, as a client and an operator see them.
import { describe, expect, it } from '@jest/globals';

import { startStreamingShop } from '../streams/streaming-shop.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const gateway = useTestGateway();
const draft = { Accept: 'application/graphql-response+json' };

/** Four products cost 4 in products, and as entities of an unknown number 10 in reviews. */
const rated = 'query A { topProducts(first: 4) { id rating } }';
const costs = (subgraph: string, more = 'mode: enforce'): string =>
  `demand_control: { enabled: true, ${more}, strategy: { static_estimated: { list_size: 10, max: 1000, subgraph: ${subgraph} } } }`;

describe('The cost of an operation in a subgraph', () => {
  it.each([
    ['all fetches from it together', '{ all: { max: 9 } }', rated, ['reviews']],
    ['exactly the limit is allowed', '{ all: { max: 10 } }', rated, []],
    ['each subgraph by itself', '{ subgraphs: { products: { max: 3 } } }', rated, ['products']],
    [
      'its own limit first',
      '{ all: { max: 1 }, subgraphs: { reviews: { max: 10 }, products: { max: 4 } } }',
      rated,
      [],
    ],
    ['its own assumed list size', '{ all: { max: 4 }, subgraphs: { reviews: { list_size: 4 } } }', rated, []],
    [
      'fields of entities, for each of them',
      '{ subgraphs: { reviews: { max: 59 } } }',
      'query A { product(id: 1) { reviews(first: 5) { id } } }',
      ['reviews'],
    ],
    [
      'variables, under the names that the fetch has',
      '{ subgraphs: { products: { max: 6 } } }',
      'query A($n: Int! = 7) { topProducts(first: $n) { id } }',
      ['products'],
    ],
    [
      'a mutation, from 10 on',
      '{ all: { max: 10 } }',
      'mutation A { rename(id: 1, name: "x") { id } }',
      ['products'],
    ],
  ])('counts %s', async (_what, subgraph, query, refused) => {
    await gateway.start({ config: costs(subgraph) });
    const { status, body } = await gateway.post({ query });
    expect(status).toBe(200);
    const codes = new Set(body.errors?.map(({ extensions }) => extensions.code));
    expect([...codes]).toEqual(refused.map(() => 'SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE'));
    for (const name of ['products', 'reviews'] as const) {
      expect(refused.includes(name) ? gateway[name].received : []).toEqual([]);
    }
  });

  it('leaves the data of other subgraphs, and applies to each request again', async () => {
    await gateway.start({ config: costs('{ subgraphs: { reviews: { max: 20 } } }') });
    const query = 'query A($n: Int!) { time product(id: 1) { reviews(first: $n) { id } } }';
    const dataOf = async (n: number): Promise<unknown> =>
      (await gateway.post({ query, variables: { n } })).body.data;
    expect(await dataOf(5)).toEqual({ time: 'now', product: null });
    expect(await dataOf(1)).toMatchObject({ product: { reviews: [{}] } });
    expect(await dataOf(5)).toEqual({ time: 'now', product: null });
    expect(gateway.reviews.received).toHaveLength(1);
  });

  it('holds for an operation with deferred fragments', async () => {
    await gateway.start({ config: costs('{ all: { max: 9 } }') });
    const query = 'query A { topProducts(first: 4) { id rating } ... @defer { time } }';
    const headers = { 'Content-Type': 'application/json', Accept: 'multipart/mixed;deferSpec=20220824' };
    const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    expect(await response.text()).toContain('SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE');
    expect(gateway.products.received).not.toEqual([]);
    expect(gateway.reviews.received).toEqual([]);
  });

  it('is only logged while it is measured', async () => {
    await gateway.start({ config: costs('{ all: { max: 9 } }', 'mode: measure') });
    expect((await gateway.post({ query: rated })).body.errors).toBeUndefined();
    await gateway.logged({
      msg: 'an operation exceeds the cost limit of a subgraph; limits are not enforced',
      reasons: ['the operation costs 10 in reviews, over the limit of 9'],
    });
  });

  it('rejects a subscription', async () => {
    await using shop = await startStreamingShop({ config: costs('{ all: { max: 0 } }') });
    const query = 'subscription A { priceChanged(id: "p1") { id name } }';
    const response = await shop.gateway.post({ query }, { Accept: 'text/event-stream, application/json' });
    expect(response).toMatchObject({ code: 'SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE' });
  });
});

const maxFetches = (count: number, more = ''): string =>
  `meridian: { limits: { max_subgraph_fetches: ${count} } }\n${more}`;

describe('The most fetches of an operation', () => {
  it('reject it before anything is sent, in a batch and with a caller who deduplicates too', async () => {
    await gateway.start({ config: maxFetches(1, 'batching: { enabled: true, mode: batch_http_link }') });
    const response = await gateway.post({ query: rated }, draft);
    expect(response).toMatchObject({ status: 400, code: 'MAX_SUBGRAPH_FETCHES_LIMIT' });
    expect(response.body.errors?.[0]?.message).toBe(
      'The operation needs 2 fetches from subgraphs, over the limit of 1',
    );
    const batch: unknown = (await gateway.post([{ query: rated }, { query: 'query B { time }' }])).body;
    expect(batch).toMatchObject([
      { errors: [{ extensions: { code: 'MAX_SUBGRAPH_FETCHES_LIMIT' } }] },
      { data: { time: 'now' } },
    ]);
    expect(gateway.reviews.received).toEqual([]);
    expect(gateway.products.received).toHaveLength(1);
  });

  it('allow exactly so many, and fewer where a condition leaves some out', async () => {
    await gateway.start({ config: maxFetches(2) });
    expect((await gateway.post({ query: rated })).status).toBe(200);
    await gateway.start({ config: maxFetches(1) });
    const query = 'query A($r: Boolean!) { product(id: 1) { id rating @include(if: $r) } }';
    const codeWith = async (r: boolean): Promise<unknown> =>
      (await gateway.post({ query, variables: { r } })).code;
    expect([await codeWith(false), await codeWith(true)]).toEqual([undefined, 'MAX_SUBGRAPH_FETCHES_LIMIT']);
  });

  it('count the fetches of deferred fragments', async () => {
    await gateway.start({ config: maxFetches(1) });
    const query = 'query A { product(id: 1) { id ... @defer { rating } } }';
    const response = await gateway.post({ query }, { Accept: 'multipart/mixed;deferSpec=20220824' });
    expect(response.code).toBe('MAX_SUBGRAPH_FETCHES_LIMIT');
  });

  it('are only logged, once an operation, with limits.warn_only', async () => {
    await gateway.start({ config: maxFetches(1, 'limits: { warn_only: true }') });
    await gateway.post({ query: rated });
    expect((await gateway.post({ query: rated })).body.errors).toBeUndefined();
    const msg = 'an operation exceeds the limit of fetches; limits are not enforced';
    expect(gateway.log.filter((line) => line['msg'] === msg)).toEqual([
      expect.objectContaining({ fetches: 2, max: 1 }),
    ]);
  });

  it('apply to operations of the manifest, which the start names', async () => {
    await gateway.start({
      config: maxFetches(
        1,
        'persisted_queries: { enabled: true, local_manifests: ["${env.MANIFEST_PATH}"], experimental_prewarm_query_plan_cache: { on_startup: true } }',
      ),
      manifest: { rated },
    });
    await gateway.logged({ id: 'rated', code: 'MAX_SUBGRAPH_FETCHES_LIMIT' });
  });
});
