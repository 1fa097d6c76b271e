import { beforeAll, describe, expect, it } from '@jest/globals';

import { useTestGateway } from '../../support/use-test-gateway.ts';

const draft = { Accept: 'application/graphql-response+json' };
const demand = (max: number, mode = 'enforce'): string =>
  `demand_control: { enabled: true, mode: ${mode}, strategy: { static_estimated: { list_size: 10, max: ${max} } } }`;

const gateway = useTestGateway();

describe('The estimated cost', () => {
  beforeAll(() =>
    gateway.start({
      config: `${demand(0)}\nlimits: { max_recursive_selections: ${Number.MAX_SAFE_INTEGER} }`,
    }),
  );
  it.each([
    ['a scalar of the root costs nothing', '{ time }', 0],
    ['a composite field costs 1', '{ product(id: 1) { id name } }', 1],
    ['a mutation costs 10 before its fields', 'mutation { rename(id: 1, name: "x") { id } }', 11],
    ['a list costs its slicing argument', '{ topProducts(first: 4) { id } }', 4],
    ['a list costs the default of its slicing argument', '{ topProducts { id } }', 3],
    [
      'a negative slicing argument is none: its list has the configured size',
      '{ search(filter: { page: { first: -3 } }) { id } }',
      12,
    ],
    ['lists in lists multiply', '{ topProducts(first: 4) { reviews(first: 5) { id } } }', 24],
    ['a list costs its assumed size', '{ product(id: 1) { parts { id } } }', 6],
    ['a list that says nothing costs the configured size', '{ search { id } }', 10],
    ['a weight replaces 1 or 0', '{ product(id: 1) { history } }', 31],
    [
      'an input object costs 1, and so does each in it',
      '{ search(filter: { text: "x", page: { first: 3 } }) { id } }',
      12,
    ],
    [
      'a fragment costs at each spread',
      '{ a: product(id: 1) { ...F } b: product(id: 1) { ...F } } fragment F on Product { supplier { id } }',
      4,
    ],
    [
      'all type conditions add up',
      '{ search { ... on Product { supplier { id } } ... on Voucher { id } } }',
      20,
    ],
    ['entity fetches add nothing', '{ product(id: 1) { rating } }', 1],
    ['__typename costs nothing', '{ __typename product(id: 1) { __typename } }', 1],
  ])('follows the rule: %s: %s', async (_rule, query, cost) => {
    const named = query.replace(/^(mutation|)(?= ?\{)/, (type) => `${type === '' ? 'query' : type} A`);
    const { body } = await gateway.post({ query: named });
    expect(body.errors?.[0]?.extensions['cost.estimated'] ?? 0).toBe(cost);
  });

  it.each([
    ['query A($n: Int! = 2) { topProducts(first: $n) { id } }', { n: 7 }, 7],
    ['query A($n: Int! = 2) { topProducts(first: $n) { id } }', {}, 2],
    ['query A($n: Int) { product(id: 1) { parts(first: $n) { id } } }', { n: null }, 6],
    [
      'query A($b: Boolean!) { product(id: 1) { id } more: product(id: 2) @include(if: $b) { id } }',
      { b: false },
      1,
    ],
    [
      'query A($b: Boolean!) { product(id: 1) { id } more: product(id: 2) @skip(if: $b) { id } }',
      { b: false },
      2,
    ],
    ['query A($f: Filter) { search(filter: $f) { id } }', { f: { page: { first: 1 } } }, 12],
  ])('of %s with %j is %i… %s', async (query, variables, cost) => {
    const { body } = await gateway.post({ query, variables });
    expect(body.errors?.[0]?.extensions['cost.estimated']).toBe(cost);
  });

  it.each([
    [
      'a size',
      'query A($n: Int) { product(id: 1) { ...F } } fragment F on Product { parts(first: $n) { id } }',
      [[{ n: 2 }, 3] as const, [{ n: 5 }, 6] as const],
    ],
    [
      'a condition',
      'query A($b: Boolean!) { product(id: 1) { ... @include(if: $b) { supplier { id } } } }',
      [[{ b: true }, 2] as const, [{ b: false }, 1] as const],
    ],
    [
      'an input object',
      'query A($f: Filter) { search(filter: $f) { id } }',
      [[{ f: { text: 'x' } }, 11] as const, [{ f: { page: { first: 1 } } }, 12] as const],
    ],
  ])('of an operation that ran before follows the current variables: %s', async (_what, query, runs) => {
    for (const [variables, cost] of runs) {
      const { body } = await gateway.post({ query, variables });
      expect(body.errors?.[0]?.extensions['cost.estimated']).toBe(cost);
    }
  });

  it('of fragments that spread fragments is computed without walking each spread', async () => {
    const layers = Array.from(
      { length: 40 },
      (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
    );
    const query = `query A { ...F0 } ${layers.join(' ')} fragment F40 on Query { product(id: 1) { id } }`;
    const { body } = await gateway.post({ query });
    expect(body.errors?.[0]?.extensions['cost.estimated']).toBe(2 ** 40);
  });
});

describe('Demand control', () => {
  it('answers 400 COST_ESTIMATED_TOO_EXPENSIVE over demand_control…max, with the cost and the bound', async () => {
    await gateway.start({ config: demand(5) });
    const { status, body } = await gateway.post({ query: 'query A { topProducts(first: 6) { id } }' }, draft);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE', 'cost.estimated': 6, 'cost.max': 5 } },
    ]);
    expect((await gateway.post({ query: 'query A { topProducts(first: 5) { id } }' })).code).toBeUndefined();
  });

  it('only logs the cost in the mode `measure`', async () => {
    await gateway.start({ config: demand(5, 'measure') });
    expect((await gateway.post({ query: 'query A { topProducts(first: 6) { id } }' })).code).toBeUndefined();
    await gateway.logged({ level: 'warn', cost: 6, max: 5 });
  });

  it("answers COST_ESTIMATED_TOO_EXPENSIVE over the throttle's capacity, never 429", async () => {
    await gateway.start({
      config: `traffic_shaping: { router: { global_rate_limit: { capacity: 5, interval: 1h } } }
meridian: { throttle: { unit: cost } }`,
    });
    expect(await gateway.post({ query: 'query A { topProducts(first: 6) { id } }' })).toMatchObject({
      status: 200,
      code: 'COST_ESTIMATED_TOO_EXPENSIVE',
    });
  });
});
