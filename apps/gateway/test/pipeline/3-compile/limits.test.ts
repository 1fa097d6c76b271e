import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';
import { parse } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';

import type { OperationSize } from '../../../src/operation/operation-size.ts';
import { measureOperation } from '../../../src/operation/operation-size.ts';
import type { ClientSideResponse } from '../../support/test-gateway.ts';
import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const draft = { Accept: 'application/graphql-response+json' };

const gateway = useTestGateway();

function ask(query: string, variables: object = {}): Promise<ClientSideResponse> {
  return gateway.post({ query, variables }, draft);
}

describe('The limits on operations', () => {
  beforeAll(() =>
    gateway.start({
      config: 'limits: { max_depth: 3, max_height: 5, max_aliases: 2, max_root_fields: 4 }',
    }),
  );
  it.each([
    ['depth', 'MAX_DEPTH_LIMIT', 'query A { topProducts { reviews { product { id } } } }'],
    ['height', 'MAX_HEIGHT_LIMIT', 'query A { time topProducts { id name reviews { id body } } }'],
    [
      'height of fragments, at each spread',
      'MAX_HEIGHT_LIMIT',
      'query A { topProducts { ...F ...F } } fragment F on Product { id name price }',
    ],
    ['aliases', 'MAX_ALIASES_LIMIT', 'query A { a: time b: time c: time }'],
    ['root fields', 'MAX_ROOT_FIELDS_LIMIT', 'query A { time time time time time }'],
    [
      'aliases in fragments, at each spread',
      'MAX_ALIASES_LIMIT',
      'query A { ...F ...F } fragment F on Query { a: time b: time }',
    ],
    [
      'root fields in fragments',
      'MAX_ROOT_FIELDS_LIMIT',
      'query A { ...F ...F ...F } fragment F on Query { time __typename }',
    ],
  ])('refuse an operation over the %s with %s, 400', async (_what, code, query) => {
    expect(await ask(query)).toMatchObject({ status: 400, code });
  });

  it.each([
    'query A { topProducts { reviews { id } } }',
    'query A { topProducts { id name reviews { id } } }',
    'query A { topProducts { id id name name reviews { id id } } }',
    'query A { a: time b: time }',
    'query A { time time time time }',
  ])('let an operation exactly at a limit run: %s', async (query) => {
    expect((await ask(query)).status).toBe(200);
  });

  it('apply after validation', async () => {
    expect((await ask('query A { topProducts { reviews { product { nothing } } } }')).code).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
  });

  it('apply to an operation that is too large to be validated in full', async () => {
    expect((await ask(`query A { ${'time '.repeat(10_000)} }`)).code).toBe('MAX_ROOT_FIELDS_LIMIT');
  });
});

describe('limits.warn_only', () => {
  it('runs operations over the limits, and logs each once', async () => {
    await gateway.start({
      config:
        'limits: { router: { max_depth: 1, max_root_fields: 1, max_recursive_selections: 1, warn_only: true } }',
    });
    const query = 'query Large { time topProducts(first: 1) { id } }';
    for (const _time of [1, 2]) {
      expect((await ask(query)).body.data).toEqual({ time: 'now', topProducts: [{ id: '1' }] });
    }
    const reasons = [
      'The operation is over the limit of 1 fields on one path',
      'The operation is over the limit of 1 root fields',
      'The operation is over the limit of 1 selections in all',
    ];
    expect(gateway.log.filter((line) => 'reasons' in line)).toEqual([
      expect.objectContaining({ operation: 'Large', reasons }),
    ]);
  });

  it('still compares the fields of such an operation', async () => {
    expect((await ask('query A { a: time a: topProducts(first: 1) { id } }')).code).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
  });
});

describe('limits.max_recursive_selections', () => {
  it('counts selections and spreads, fragments at each spread', async () => {
    const query = 'query A { ...F ...F } fragment F on Query { time __typename }';
    await gateway.start({ config: 'limits: { max_recursive_selections: 5 }' });
    expect((await ask(query)).code).toBe('GRAPHQL_VALIDATION_FAILED');
    await gateway.start({ config: 'limits: { max_recursive_selections: 6 }' });
    expect((await ask(query)).code).toBeUndefined();
  });
});

describe('limits.introspection_max_depth', () => {
  it.each([
    ['true', 'GRAPHQL_VALIDATION_FAILED'],
    ['false', undefined],
  ])('%s: three lists in each other', async (value, code) => {
    await gateway.start({
      config: `supergraph: { introspection: true }\nlimits: { introspection_max_depth: ${value} }`,
      env: { NODE_ENV: 'development' },
    });
    const lists = 'fields { type { fields { type { fields { name } } } } }';
    expect((await ask(`query A { __schema { types { ${lists} } } }`)).code).toBe(code);
  });
});

describe('A configuration without limits', () => {
  it('applies none', async () => {
    await using open = await startTestGateway();
    const deep = `${'parts(first: 1) { '.repeat(20)}id${' }'.repeat(20)}`;
    expect((await open.post({ query: `query A { product(id: 1) { ${deep} } }` }, draft)).status).toBe(200);
  });
});

describe('measureOperation', () => {
  it.each([
    ['{ a }', { depth: 1, aliases: 0, rootFields: 1 }],
    ['{ a a b: c b: d }', { height: 2 }],
    ['{ a { b } a { b c } }', { height: 4 }],
    ['{ a ... { a } }', { height: 2 }],
    ['{ a ...F ...F } fragment F on T { a b }', { height: 5 }],
    ['{ a { b { c } } d }', { depth: 3, rootFields: 2 }],
    ['{ a { ...F } } fragment F on T { b { c } }', { depth: 3, rootFields: 1 }],
    ['{ ... { ... on T { a } } }', { depth: 1, rootFields: 1 }],
    ['{ x: a { y: b } ...F } fragment F on T { z: c }', { aliases: 3, rootFields: 2 }],
    ['{ __schema { types { name } } __typename }', { isPureIntrospection: true }],
    ['{ a __schema { types { name } } }', { isPureIntrospection: false }],
    ['{ ...F } fragment F on T { a ...F }', { depth: 1, rootFields: 1 }],
    ['{ ...Nowhere a }', { depth: 1, rootFields: 1 }],
  ])('measures %s', (text, size) => {
    expect(measure(text)).toMatchObject(size);
  });

  it('counts fragments that spread fragments without walking each spread', () => {
    const layers = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on T { x: a ...F${n + 1} ...F${n + 1} }`,
    );
    const size = measure(`{ ...F0 } ${layers.join(' ')} fragment F60 on T { x: a }`);
    expect(size).toMatchObject({ aliases: Number.MAX_SAFE_INTEGER, rootFields: Number.MAX_SAFE_INTEGER });
  });
});

describe('The depth of introspection', () => {
  it('has a limit of its own', async () => {
    await using open = await startTestGateway({
      config:
        'supergraph: { introspection: true }\nlimits: { max_depth: 2 }\nmeridian: { limits: { introspection_max_depth: 4 } }',
      env: { NODE_ENV: 'development' },
    });
    const codes = [
      await open.post({ query: 'query A { __schema { types { fields { name } } } }' }),
      await open.post({ query: 'query A { __schema { types { fields { type { name } } } } }' }),
      await open.post({ query: 'query A { time __schema { types { name } } }' }),
    ].map(({ code }) => code);
    expect(codes).toEqual([undefined, 'MAX_DEPTH_LIMIT', 'MAX_DEPTH_LIMIT']);
  });
});

describe('A page size', () => {
  beforeAll(() => gateway.start());
  it.each([
    ['query A { topProducts(first: 101) { id } }', {}],
    ['query A { topProducts(first: -1) { id } }', {}],
    ['query A($n: Int!) { topProducts(first: $n) { id } }', { n: 101 }],
    ['query A($n: Int = 101) { topProducts(first: $n) { id } }', {}],
    ['query A { product(id: 1) { ...F } } fragment F on Product { reviews(first: 1000) { id } }', {}],
  ])('is refused with 400 PAGE_SIZE_LIMIT when it is out of its bound: %s %j', async (query, variables) => {
    expect(await ask(query, variables)).toMatchObject({ status: 400, code: 'PAGE_SIZE_LIMIT' });
  });

  it.each([
    ['query A { topProducts(first: 0) { id } }', {}],
    ['query A { topProducts(first: 100) { id } }', {}],
    ['query A { topProducts { id } }', {}],
    ['query A($n: Int) { product(id: 1) { parts(first: $n) { id } } }', { n: null }],
    ['query A($n: Int) { product(id: 1) { parts(first: $n) { id } } }', {}],
  ])('is accepted within its bound: %s %j', async (query, variables) => {
    expect((await ask(query, variables)).status).toBe(200);
  });
});

describe('An operation of the manifest over a limit', () => {
  it('is logged when it is loaded, estimated with pages at their bound', async () => {
    await using open = await startTestGateway({
      manifest: {
        expensive: 'query Expensive($first: Int!) { topProducts(first: $first) { id } }',
        cheap: 'query Cheap($first: Int! = 5) { topProducts(first: $first) { id } }',
        deep: 'query Deep { topProducts { reviews { product { id } } } }',
      },
      config: `
        limits: { max_depth: 3 }
        persisted_queries: { enabled: true, local_manifests: ["\${env.MANIFEST_PATH}"] }
        demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 50 } } }
      `,
    });
    await eventually(() => {
      const told = open.log.filter(({ level }) => level === 'warn').map(({ id, code }) => [id, code]);
      expect(told).toEqual([
        ['expensive', 'COST_ESTIMATED_TOO_EXPENSIVE'],
        ['deep', 'MAX_DEPTH_LIMIT'],
      ]);
    });
  });
});

function measure(text: string): OperationSize {
  const document = parse(text);
  return measureOperation(document, document.definitions[0] as OperationDefinitionNode, 500);
}
