// `actual_cost_mode`, as clients and operators see it.
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { requestParts } from '../streams/read-parts.ts';
import { pricesQuery, pricesVariables, startStreamingShop } from '../streams/streaming-shop.ts';
import { samplesOf } from '../support/samples.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const ask = { 'Meridian-Include-Cost': 'true' };
const configOf = (mode: string, more = ''): string =>
  `demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 500${mode && `, actual_cost_mode: ${mode}`} } } }\n${more}`;

const gateway = useTestGateway();

async function actualCost(query: string, variables: object = {}): Promise<number> {
  const { headers } = await gateway.post({ query, variables }, ask);
  return Number(headers.get('Meridian-Cost-Actual') ?? Number.NaN);
}

/** Operations with their costs by subgraph and by the shape of the response. */
const operations: readonly (readonly [rule: string, query: string, bySubgraph: number, byShape: number])[] = [
  ['one fetch costs what its response does', 'query A { search { id } product(id: 1) { history } }', 9, 9],
  ['an entity costs 1 in each fetch', 'query A { topProducts(first: 4) { id rating } }', 8, 4],
  ['and what is below it', 'query A { product(id: 1) { reviews(first: 3) { id } } }', 5, 4],
  ['what only fetches select costs too', 'query A { review(id: 1) { product { name } } }', 3, 2],
  ['variables count in the fetch that has them', 'query A($f: Filter) { search(filter: $f) { id } }', 4, 4],
  ['a mutation costs 10 before its fields', 'mutation A { rename(id: 1, name: "x") { rating } }', 12, 11],
  [
    'each of its fetches does',
    'mutation A { rename(id: 1, name: "x") { id } publish(id: 1) { id } }',
    22,
    12,
  ],
  ['no fetch costs nothing', 'query A { __typename }', 0, 0],
];
const variables = { f: { page: { first: 3 } } };

describe.each(['fast_path', 'slow_path', 'apollo'])('The actual cost by subgraph: %s', (executor) => {
  it('is the sum of the responses of subgraphs', async () => {
    await gateway.start({ config: configOf('by_subgraph', `meridian: { executor: ${executor} }`) });
    for (const [rule, query, bySubgraph] of operations) {
      expect([rule, await actualCost(query, variables)]).toEqual([rule, bySubgraph]);
    }
  });

  it('counts no response that is none, and the data of one with errors', async () => {
    const query = 'query A { topProducts(first: 4) { id rating } }';
    gateway.reviews.misbehave((response) => void response.writeHead(500).end());
    expect(await actualCost(query)).toBe(4);
    gateway.reviews.misbehave((response) =>
      respondJson(response, {
        data: { _entities: [{ rating: 1 }, null, { rating: 2 }, null] },
        errors: [{ message: 'two are gone', path: ['_entities', 1] }],
      }),
    );
    expect(await actualCost(query)).toBe(6);
    gateway.reviews.misbehave(
      (response) => void response.setHeader('Content-Type', 'application/json').end('{"data":'),
    );
    expect(await actualCost(query)).toBe(4);
  });
});

describe('The actual cost by the shape of the response', () => {
  it.each(['', 'by_response_shape'])('is the default: "%s"', async (mode) => {
    await gateway.start({ config: configOf(mode) });
    for (const [rule, query, , byShape] of operations) {
      expect([rule, await actualCost(query, variables)]).toEqual([rule, byShape]);
    }
  });
});

describe('The actual cost by subgraph of requests that share', () => {
  it('a fetch that was merged is one', async () => {
    await gateway.start({ config: configOf('by_subgraph', 'meridian: { merge_fetches: { all: true } }') });
    const query = 'query A { a: product(id: 1) { rating } b: product(id: 2) { reviews(first: 2) { id } } }';
    expect(await actualCost(query)).toBe(6);
    expect(gateway.reviews.received).toHaveLength(1);
  });

  it.each([
    ['run', ['query A { product(id: 1) { rating } }', 'query A { product(id: 1) { rating } }']],
    ['fetch', ['query A { product(id: 1) { rating } }', 'query A { p: product(id: 1) { rating } }']],
  ])('one %s costs each of its clients', async (_what, queries) => {
    await gateway.start({ config: configOf('by_subgraph') });
    for (const query of queries) {
      await actualCost(query);
    }
    const { promise: released, resolve } = Promise.withResolvers<void>();
    gateway.reviews.reset();
    gateway.reviews.misbehave(async (response) => {
      await released;
      respondJson(response, { data: { _entities: [{ rating: 4.5 }] } });
    });
    const costs = queries.map((query) => actualCost(query));
    await eventually(() => expect(gateway.reviews.received).not.toEqual([]));
    // Earlier requests are under way once these have been to another subgraph and back.
    await gateway.post({ query: 'query Probe { product(id: 2) { name } }' });
    await gateway.post({ query: 'query Probe { product(id: 3) { name } }' });
    resolve();
    expect(await Promise.all(costs)).toEqual([2, 2]);
    expect(gateway.reviews.received).toHaveLength(1);
  });
});

describe('The actual cost by subgraph of a query with @defer', () => {
  it('has all of its parts, in the log and in the metrics', async () => {
    await gateway.start({ config: configOf('by_subgraph') });
    const query = 'query Parts { topProducts(first: 4) { id ... @defer { rating } } }';
    const headers = { ...ask, Accept: 'multipart/mixed;deferSpec=20220824, application/json' };
    const { parts } = await requestParts(gateway.url, { query }, { headers });
    for await (const part of parts) {
      expect(part).not.toHaveProperty('errors');
    }
    await gateway.logged({ operation: 'Parts', costActual: 8 });
    expect(samplesOf(await gateway.metrics(), 'cost_actual_sum')).toEqual([
      expect.objectContaining({ value: 8 }),
    ]);
  });
});

describe('The actual cost by subgraph for a caller who may see a part', () => {
  it('is what was fetched', async () => {
    await gateway.start({ config: configOf('by_subgraph') });
    expect(await actualCost('query A { product(id: 1) { rating cost } }')).toBe(2);
  });
});

describe('The actual cost by subgraph of a subscription', () => {
  it('is not measured, and its events arrive', async () => {
    await using shop = await startStreamingShop({ config: configOf('by_subgraph') });
    const { parts } = await requestParts(
      shop.gateway.url,
      { query: pricesQuery, variables: pricesVariables },
      { headers: { ...ask, Accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0' } },
    );
    await shop.subscribers(1);
    shop.feed.push('p1', 10);
    shop.feed.end();
    const bodies: unknown[] = [];
    for await (const part of parts) {
      bodies.push(part);
    }
    expect(bodies[0]).toMatchObject({ payload: { data: { priceChanged: { name: 'Product p1' } } } });
    expect(await shop.gateway.metrics()).toMatch(/^cost_estimated_count\S* 1$/m);
    expect(samplesOf(await shop.gateway.metrics(), 'cost_actual_count')).toEqual([]);
  });
});
