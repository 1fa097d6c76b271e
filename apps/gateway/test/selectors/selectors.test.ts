import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import type { BodyPath, Condition, Scalar, Selector, SelectorName } from '@meridian/router-config';
import { everyMember, readRouterConfig, selectorRules, standardAttributes } from '@meridian/router-config';
import type { Random } from '@meridian/testing';
import { createRandom } from '@meridian/testing';
import { parse } from 'graphql';

import { compileCondition } from '../../src/selectors/compile-condition.ts';
import { compileSelector } from '../../src/selectors/compile-selector.ts';
import type { RequestFacts, SubgraphFacts } from '../../src/selectors/request-facts.ts';
import { standardValues } from '../../src/telemetry/custom/standard-values.ts';

const plain: RequestFacts = {
  method: 'POST',
  stageContext: undefined,
  url: '/graphql?a=b',
  headers: { 'x-shop': 'rome', 'content-length': '120', baggage: 'basket=full%20of;p=1 , other = 2' },
  peer: '127.0.0.1',
  isSecure: false,
  route: '/graphql',
  startedMs: performance.now() - 60_000,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  client: { name: 'web', version: '1.2' },
  caller: {
    tenantId: 'acme',
    subject: 'ada',
    issuer: 'https://issuer.example',
    scopes: new Set(['a', 'b']),
    expiresAt: 1,
  },
  operationName: 'Named',
  operationType: 'query',
  operation: undefined,
  operationText: 'query Named { time }',
  overrideLabels: undefined,
  variables: { n: 2, list: [1, 2] },
  costEstimated: 10,
  costResult: 'COST_OK',
  costActual: 4,
  status: 404,
  response: { status: 404, headers: { 'Content-Type': 'application/json' } },
  errors: [
    { message: 'no', extensions: { code: 'A' } },
    { message: 'nor', extensions: { code: 'B' } },
  ],
  failure: undefined,
  data: { items: [{ name: 'one' }, { name: 'two' }] },
};

const fetched: SubgraphFacts = {
  subgraph: 'products',
  operationKind: 'query',
  operationName: 'Named__products__0',
  query: '{ time }',
  variables: { id: 7 },
  headers: { accept: 'application/json' },
  responseFields: [
    ['x-zone', 'a'],
    ['x-zone', 'b'],
  ],
  requestBytes: 10,
  responseBytes: 20,
  status: 503,
  stored: { hits: 2, misses: 3 },
  cacheControl: 'private, max-age=60',
  failure: 'SUBREQUEST_HTTP_ERROR',
  errors: [],
  data: { time: 'now' },
};

function selector(name: SelectorName, argument: Selector['argument'], fallback?: Scalar): Selector {
  return { name, argument, fallback };
}

function select(name: SelectorName, argument: Selector['argument'], fallback?: Scalar): unknown {
  return compileSelector(selector(name, argument, fallback), { ZONE: 'eu' })(plain, fetched);
}

describe('A compiled selector', () => {
  it.each<[SelectorName, Selector['argument'], unknown]>([
    ['static', 7, 7],
    ['env', 'ZONE', 'eu'],
    ['env', 'NOWHERE', undefined],
    ['baggage', 'basket', 'full of'],
    ['baggage', 'other', '2'],
    ['request_context', 'apollo::telemetry::client_name', 'web'],
    ['request_context', 'apollo_telemetry::client_version', '1.2'],
    ['request_context', 'apollo::demand_control::actual_cost', 4],
    ['request_context', 'apollo::demand_control::result', 'COST_OK'],
    ['request_context', 'somebody::else', undefined],
    ['trace_id', 'open_telemetry', plain.traceId],
    ['trace_id', 'datadog', '11803532876627986230'],
    ['trace_id', 'decimal', '100985939111033328018442752961257817910'],
    ['trace_id', 'uuid', '4bf92f35-77b3-4da6-a3ce-929d0e0e4736'],
    ['request_method', true, 'POST'],
    ['request_header', 'x-shop', 'rome'],
    ['request_header', 'constructor', undefined],
    ['operation_name', 'string', 'Named'],
    ['operation_name', 'hash', '8605605ae026648455e9f51d5bab792ece1b170418ea9d0791860f5402a09f72'],
    ['response_status', 'code', 404],
    ['response_status', 'reason', 'Not Found'],
    ['response_header', 'content-type', 'application/json'],
    ['response_errors', [0, 'extensions', 'code'], 'A'],
    ['response_errors', [everyMember, 'extensions', 'code'], '["A","B"]'],
    ['response_errors', [5, 'message'], undefined],
    ['on_graphql_error', true, true],
    ['operation_kind', 'string', 'query'],
    ['query', 'string', 'query Named { time }'],
    ['query_variable', 'n', 2],
    ['query_variable', 'list', '[1,2]'],
    ['response_data', ['items', 1, 'name'], 'two'],
    ['cost', 'delta', 6],
    ['cost', 'result', 'COST_OK'],
    ['subgraph_name', true, 'products'],
    ['subgraph_operation_name', 'string', 'Named__products__0'],
    ['subgraph_query_variable', 'id', 7],
    ['subgraph_request_header', 'accept', 'application/json'],
    ['subgraph_response_status', 'code', 503],
    ['subgraph_response_header', 'x-zone', 'a, b'],
    ['subgraph_response_header', 'x-none', undefined],
    ['subgraph_response_data', ['time'], 'now'],
    ['subgraph_on_graphql_error', true, false],
    ['response_cache', 'hit', 2],
    ['response_cache', 'miss', 3],
    ['response_cache_status', 'status', 'partial_hit'],
    ['response_cache_status', 'hit', false],
    ['response_cache_control', 'max_age', 60],
    ['response_cache_control', 'scope', 'private'],
    ['response_cache_control', 'no_store', false],
    ['error', 'reason', 'SUBREQUEST_HTTP_ERROR'],
  ])('has a value: %s %j → %j', (name, argument, value) => {
    expect(select(name, argument)).toEqual(value);
  });

  it('has its default where there is no value', () => {
    expect(select('request_header', 'x-none', 'none')).toBe('none');
    expect(select('request_header', 'x-shop', 'none')).toBe('rome');
  });

  it('measures the time of a request', () => {
    const inUnit = (unit: string): number => Number(select('request_duration', unit));
    expect(inUnit('seconds')).toBeGreaterThanOrEqual(60);
    expect(inUnit('milliseconds') / inUnit('nanoseconds')).toBeCloseTo(1e-6, 8);
  });

  it('measures an operation', () => {
    const document = parse('query A { a: b { c d: e } f }');
    const [definition] = document.definitions;
    const facts = { ...plain, operation: { document, definition } } as RequestFacts;
    const sizeOf = (form: string): unknown => compileSelector(selector('query', form))(facts, undefined);
    expect(['aliases', 'depth', 'height', 'root_fields'].map(sizeOf)).toEqual([2, 2, 4, 2]);
  });

  it('cuts long texts, and keeps them on one line', () => {
    const facts = { ...plain, headers: { 'x-long': `a\n${'b'.repeat(5000)}` } };
    const found = compileSelector(selector('request_header', 'x-long'))(facts, undefined);
    expect(found).toMatch(/^a\\nb+$/u);
    expect(String(found).length).toBeLessThan(1100);
  });
});

describe('The standard attributes of the server', () => {
  it.each([
    [false, 'shop.example', 'http', 80],
    [true, 'shop.example', 'https', 443],
    [true, 'shop.example:8443', 'https', 8443],
  ])('with TLS %s and host %s: %s, %i', (isSecure, host, scheme, port) => {
    const facts = { ...plain, isSecure, headers: { host } };
    expect(standardValues['url.scheme'](facts, undefined)).toBe(scheme);
    expect(standardValues['server.port'](facts, undefined)).toBe(port);
    expect(standardValues['server.address'](facts, undefined)).toBe('shop.example');
  });
});

describe('A compiled condition', () => {
  const code = selector('response_status', 'code');
  const length = selector('request_header', 'content-length');
  const absent = selector('request_header', 'x-none');
  const fixed = (value: Scalar): Selector => selector('static', value);

  it.each<[Condition, boolean]>([
    [true, true],
    [{ kind: 'eq', left: code, right: fixed(404) }, true],
    [{ kind: 'eq', left: code, right: fixed('404') }, true],
    [{ kind: 'eq', left: absent, right: absent }, false],
    [{ kind: 'gt', left: length, right: fixed(99) }, true],
    [{ kind: 'lt', left: length, right: fixed(99) }, false],
    [{ kind: 'lt', left: fixed('a'), right: fixed('b') }, true],
    [{ kind: 'gt', left: absent, right: fixed(0) }, false],
    [{ kind: 'exists', selector: code }, true],
    [{ kind: 'exists', selector: absent }, false],
    [{ kind: 'not', condition: { kind: 'exists', selector: absent } }, true],
    [{ kind: 'all', conditions: [true, false] }, false],
    [{ kind: 'all', conditions: [] }, true],
    [{ kind: 'any', conditions: [true, false] }, true],
    [{ kind: 'any', conditions: [] }, false],
  ])('%j is %s', (condition, holds) => {
    expect(compileCondition(condition)(plain, undefined)).toBe(holds);
  });
});

describe('Any selector and any condition', () => {
  const words = [
    '',
    'a',
    '__proto__',
    'constructor',
    'baggage',
    'x-shop',
    '\ud800',
    '%E0%A4%A',
    'é=;,',
    'string',
    'code',
  ];
  const path: readonly BodyPath[number][] = ['items', 0, everyMember, '__proto__', 'length', 99];

  function anyValue(random: Random, depth = 0): unknown {
    const kinds = [null, undefined, true, 0, -1, 1.5, Number.NaN, random.pick(words), [], {}];
    if (depth < 3 && random.chance(0.4)) {
      const members = Array.from({ length: 3 }, () => anyValue(random, depth + 1));
      return random.chance(0.5)
        ? members
        : Object.fromEntries(members.map((value) => [random.pick(words), value]));
    }
    return random.pick(kinds);
  }

  function anyRequest(random: Random): RequestFacts {
    const maybe = <Value>(value: Value): Value | undefined => (random.chance(0.5) ? value : undefined);
    const fields = Object.fromEntries(words.map((name) => [name, maybe(random.pick([...words, words]))]));
    return {
      ...plain,
      url: random.pick(words),
      headers: fields,
      peer: maybe('::1'),
      route: maybe('/'),
      caller: maybe(plain.caller),
      operationName: maybe(random.pick(words)),
      operationType: maybe('mutation' as const),
      operationText: maybe(random.pick(words)),
      variables: { a: anyValue(random), __proto__: null, constructor: anyValue(random) },
      costEstimated: maybe(3),
      costResult: maybe('COST_OK' as const),
      costActual: maybe(2),
      status: maybe(random.pick([0, 200, 499, 999])),
      response: maybe({ status: 200, headers: { A: 'b' } }),
      errors: [anyValue(random), anyValue(random)] as unknown as RequestFacts['errors'],
      failure: maybe('A'),
      data: anyValue(random),
    };
  }

  function anySelector(random: Random): Selector {
    const name = random.pick(Object.keys(selectorRules) as SelectorName[]);
    const isPath = selectorRules[name].takes.includes('JSONPath');
    const argument = isPath ? Array.from({ length: 3 }, () => random.pick(path)) : random.pick(words);
    return { name, argument, fallback: random.chance(0.2) ? 'none' : undefined };
  }

  function anyCondition(random: Random, depth = 0): Condition {
    const below = (): Condition => anyCondition(random, depth + 1);
    const kind = random.pick(['eq', 'gt', 'lt', 'exists', 'not', 'all', 'any'] as const);
    if (depth > 3 || kind === 'exists') {
      return { kind: 'exists', selector: anySelector(random) };
    }
    if (kind === 'not') {
      return { kind, condition: below() };
    }
    return kind === 'all' || kind === 'any'
      ? { kind, conditions: [below(), below()] }
      : { kind, left: anySelector(random), right: anySelector(random) };
  }

  it('has a value without members, or none, and never throws', () => {
    const random = createRandom('selectors');
    for (let round = 0; round < 20_000; round += 1) {
      const request = anyRequest(random);
      const subgraph: SubgraphFacts | undefined = random.chance(0.5)
        ? undefined
        : {
            ...fetched,
            errors: [anyValue(random)],
            data: anyValue(random),
            variables: request.variables,
          };
      const value = compileSelector(anySelector(random), {})(request, subgraph);
      expect(['string', 'number', 'boolean', 'undefined']).toContain(typeof value);
      expect(typeof compileCondition(anyCondition(random), {})(request, subgraph)).toBe('boolean');
    }
  });
});

describe('docs/custom-telemetry.md', () => {
  const page = readFileSync(new URL('../../../../docs/custom-telemetry.md', import.meta.url), 'utf8');

  it('names each selector and each known attribute', () => {
    const names = [selectorRules, ...Object.values(standardAttributes)].flatMap((known) =>
      Object.keys(known),
    );
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('has an example that a gateway takes', () => {
    const [, text = ''] = /```yaml\n(.*?)```/su.exec(page) ?? [];
    const { config } = readRouterConfig({
      files: [{ name: 'router.yaml', text }],
      env: {},
      readFile: () => '',
    });
    expect([...config.telemetry.instrumentation.instruments.supergraph.keys()]).toEqual(['acme.orders']);
  });
});
