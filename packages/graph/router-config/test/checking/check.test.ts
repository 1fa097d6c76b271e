import { describe, expect, it } from '@jest/globals';

import { check } from '../read.fixture.ts';

describe('The check of a Router configuration', () => {
  it('says what each key does here', () => {
    const { keys, faults } = check(`
      supergraph: { listen: 0.0.0.0:4000 }
      limits: { router: { max_depth: 12 } }
      traffic_shaping: { deduplicate_variables: true }
      homepage: { enabled: false }
      rhai: { scripts: ./rhai }
      limts: { max_depth: 12 }
      headers: { subgraphs: { products: { request: [ { propagate: { named: authorization } } ] } } }
    `);
    expect(Object.fromEntries(keys.map(({ path, verdict }) => [path, verdict]))).toEqual({
      'supergraph.listen': 'honoured',
      'limits.router.max_depth': 'free',
      'traffic_shaping.deduplicate_variables': 'without effect',
      homepage: 'without effect',
      rhai: 'not supported',
      limts: 'unknown',
      'headers.subgraphs.products.request[0].propagate.named': 'honoured',
    });
    expect(keys.find(({ path }) => path === 'limts')?.remark).toBe('the nearest known key is limits');
    expect(keys.every(({ remark }) => remark !== '')).toBe(true);
    expect(faults).toEqual([]);
  });

  it('knows no key that every object has, such as constructor and __proto__', () => {
    const { keys, config } = check(
      'constructor: {prototype: {x: 1}}\nsupergraph: {__proto__: {listen: "1.1.1.1:1"}, toString: 1}\nlimits: {valueOf: 1}',
    );
    expect(keys.map(({ path, verdict }) => [path, verdict])).toEqual([
      ['constructor', 'unknown'],
      ['supergraph.__proto__', 'unknown'],
      ['supergraph.toString', 'unknown'],
      ['limits.valueOf', 'unknown'],
    ]);
    expect(config?.supergraph.listen).toEqual({ host: '127.0.0.1', port: 4000 });
  });

  it('ends in one line for aliases that multiply, for one within its own anchor, and for a file of any size', () => {
    const tenfold = (index: number): string =>
      `a${index + 1}: &a${index + 1} [${Array.from({ length: 10 }, () => `*a${index}`).join(',')}]`;
    const bomb = `a0: &a0 [x]\n${[...Array(9).keys()].map(tenfold).join('\n')}`;
    const alias = 'router.yaml: an alias refers to its own anchor, or aliases multiply to too many values';
    expect(check(bomb).faults).toEqual([alias]);
    expect(check('supergraph: &s {path: *s}').faults).toEqual([alias]);
    expect(check(`a: ${'x'.repeat(1_000_001)}`).faults).toEqual([
      'router.yaml: has more than 1000000 characters',
    ]);
    expect(check(`a: ${'['.repeat(100_000)}`).faults).toHaveLength(1);
  });

  it('compares only the first unknown keys with the known ones, however many and long they are', () => {
    const many = check([...Array(60).keys()].map((index) => `limts${index}: 1`).join('\n')).keys;
    expect([many[0]?.remark, many[59]?.remark]).toEqual([
      'the nearest known key is limits',
      'docs/router-yaml.md has every known key',
    ]);
    expect(check(`${'x'.repeat(1000)}: 1`).keys[0]?.remark).toBe('no known key has a similar name');
  });

  it('prints a key on one line, without its control characters', () => {
    const { keys } = check('"x\\n::error file=a::injected": 1\n"\\e]0;pwned\\a": 2');
    expect(keys.map(({ path }) => path)).toEqual([
      String.raw`x\n::error file=a::injected`,
      String.raw`\u001b]0;pwned\u0007`,
    ]);
  });

  it('finds values out of range, and keys that contradict each other', () => {
    expect(check('limits: { max_depth: deep }').faults).toEqual([
      'limits.max_depth: holds a text of another form; it takes a whole number from 1 up',
    ]);
    expect(check('persisted_queries: { safelist: { enabled: true } }').faults).toEqual([
      'persisted_queries.safelist.enabled: needs persisted_queries.enabled',
    ]);
    expect(check('limits: [').faults).toHaveLength(1);
  });

  it('does not count a variable that is not set here, and says so', () => {
    const { faults, notes, missing } = check("supergraph: { listen: '${env.NOWHERE_SET}' }");
    expect({ faults, missing }).toEqual({ faults: [], missing: ['env.NOWHERE_SET'] });
    expect(notes).toEqual(['supergraph.listen: env.NOWHERE_SET has no value here, and was not checked']);
  });

  it('counts a malformed variable as a fault', () => {
    expect(check("supergraph: { listen: '${vault.LISTEN}' }")).toMatchObject({
      faults: ['supergraph.listen: holds a variable that is neither ${env.NAME} nor ${file.PATH}'],
      missing: [],
    });
  });

  it('checks the rest of a file whose variables are not set', () => {
    expect(
      check(`
        traffic_shaping: { all: { timeout: '\${env.TIMEOUT}' } }
        persisted_queries: { safelist: { enabled: true } }
      `).faults,
    ).toEqual(['persisted_queries.safelist.enabled: needs persisted_queries.enabled']);
  });

  it('lists sandbox.enabled as without effect in production, and as applied in development', () => {
    const verdictIn = (mode: 'development' | 'production'): unknown =>
      check('sandbox: { enabled: true }', mode).keys[0]?.verdict;
    expect([verdictIn('production'), verdictIn('development')]).toEqual(['without effect', 'honoured']);
  });

  it('lists a key with a fault as invalid, and no other', () => {
    const { keys } = check(`
      headers:
        all: { request: [ { insert: { name: x, value: a, default: b } }, { propagate: { named: cookie } } ] }
      supergraph: { listen: nowhere, introspection: true }
      apq: { enabled: true }
      persisted_queries: { enabled: true, safelist: { enabled: true } }
    `);
    expect(keys.filter(({ verdict }) => verdict === 'invalid').map(({ path }) => path)).toEqual([
      'headers.all.request[0].insert.name',
      'headers.all.request[0].insert.value',
      'headers.all.request[0].insert.default',
      'supergraph.listen',
      'apq.enabled',
    ]);
  });

  it('notes keys in places of earlier versions', () => {
    expect(check('preview_operation_limits: { max_depth: 3 }')).toMatchObject({
      faults: [],
      keys: [{ path: 'preview_operation_limits.max_depth', line: 1, verdict: 'free' }],
      notes: ['preview_operation_limits is an earlier place of limits'],
    });
  });
});

describe('The line of a checked key', () => {
  it('is its place in the file, also in the place of an earlier version', () => {
    const { keys } = check(
      [
        'telemetry: { metrics: { prometheus: { enabled: true } } }',
        'health-check:',
        '  listen: 127.0.0.1:8088',
        'cors:',
        '  origins: [https://shop.example]',
        'headers:',
        '  all:',
        '    request:',
        '      - propagate: { named: authorization }',
        '      -',
        '        insert:',
        '          name: x-gateway',
        '          value: meridian',
        'rhai:',
        '  scripts: ./rhai',
        'override_subgraph_url: { products: http://127.0.0.1:1, reviews: http://127.0.0.1:2 }',
      ].join('\n'),
    );
    expect(
      keys.map(({ path, line }) => [path, line]).toSorted((one, other) => Number(one[1]) - Number(other[1])),
    ).toEqual([
      ['telemetry.metrics.prometheus.enabled', 1],
      ['health-check.listen', 3],
      ['cors.origins', 5],
      ['headers.all.request[0].propagate.named', 9],
      ['headers.all.request[1].insert.name', 12],
      ['headers.all.request[1].insert.value', 13],
      ['rhai', 14],
      ['override_subgraph_url.products', 16],
      ['override_subgraph_url.reviews', 16],
    ]);
  });

  it('is the alias for keys that an anchor adds', () => {
    const { keys } = check(
      'traffic_shaping:\n  all: &times\n    timeout: 3s\n  subgraphs:\n    reviews: *times\n    products:\n      timeout: 1s',
    );
    expect(keys.map(({ path, line }) => [path, line])).toEqual([
      ['traffic_shaping.all.timeout', 3],
      ['traffic_shaping.subgraphs.reviews.timeout', 5],
      ['traffic_shaping.subgraphs.products.timeout', 7],
    ]);
  });
});
