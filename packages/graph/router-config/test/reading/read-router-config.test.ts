import { describe, expect, it } from '@jest/globals';

import { configOf, faultsOf } from '../read.fixture.ts';

describe('readRouterConfig', () => {
  it("gives Apollo Router's defaults for an empty file", () => {
    expect(configOf('')).toMatchObject({
      supergraph: { listen: { host: '127.0.0.1', port: 4000 }, introspection: false },
      health_check: { listen: { host: '127.0.0.1', port: 8088 }, path: '/health' },
      authorization: { require_authentication: false },
      persisted_queries: { enabled: false, safelist: { enabled: false, require_id: false } },
      limits: { parser_max_tokens: 15_000, http_max_request_bytes: 2_000_000 },
      traffic_shaping: { router: { timeout: 30_000 }, all: { timeout: 30_000 } },
      include_subgraph_errors: { all: false },
    });
  });

  it('sets no limits on operations and no authentication when their keys are absent', () => {
    const { authentication, limits } = configOf('');
    expect({ authentication, depth: limits.max_depth, aliases: limits.max_aliases }).toEqual({});
  });

  it('refuses invalid YAML with the line, without showing it', () => {
    expect(faultsOf('supergraph:\n  listen: "secret\n')).toEqual([
      expect.stringMatching(/^router\.yaml: (?!.*secret).* at line 3/),
    ]);
  });

  it('refuses a key that occurs twice', () => {
    expect(faultsOf('limits: { max_depth: 1, max_depth: 2 }')).toEqual([
      expect.stringContaining('Map keys must be unique'),
    ]);
  });

  it('refuses a file of several documents, or that is not a map', () => {
    expect(faultsOf('limits: {}\n---\ncsrf: {}')).toEqual([
      'router.yaml: holds more than one document; an overlay is a file of its own',
    ]);
    expect(faultsOf('- limits')).toEqual(['router.yaml: is not a map']);
  });

  it('reports every fault, not just the first', () => {
    expect(faultsOf('limits: { max_depth: deep }\nsupergraph: { introspection: yes please }')).toEqual([
      'limits.max_depth: holds a text of another form; it takes a whole number from 1 up',
      'supergraph.introspection: holds a text of another form; it takes true or false',
    ]);
  });

  it('returns a frozen configuration', () => {
    expect(Object.isFrozen(configOf('').limits)).toBe(true);
  });
});

describe('A variable in router.yaml', () => {
  it('comes from the environment, or from its default', () => {
    const text = 'supergraph: { path: "/${env.FIRST}/${env.SECOND:-graphql}" }';
    expect(configOf(text, { env: { FIRST: 'api' } }).supergraph.path).toBe('/api/graphql');
  });

  it('counts as absent when it is empty', () => {
    const text = 'limits: { max_depth: "${env.DEPTH:-7}" }';
    expect(configOf(text, { env: { DEPTH: '' } }).limits.max_depth).toBe(7);
  });

  it('becomes a number, a boolean or nothing when the whole value does', () => {
    const text = [
      'limits: { max_depth: "${env.DEPTH}" }',
      'supergraph: { introspection: "${env.OPEN}" }',
      'override_subgraph_url: { products: "${env.PRODUCTS_URL:-}" }',
    ].join('\n');
    const config = configOf(text, { env: { DEPTH: '9', OPEN: 'true' } });
    expect(config).toMatchObject({ limits: { max_depth: 9 }, supergraph: { introspection: true } });
    expect([...config.override_subgraph_url]).toEqual([]);
  });

  it('may come from a file', () => {
    const text = 'supergraph: { path: "${file./run/path}" }';
    expect(configOf(text, { files: { '/run/path': '/graphql\n' } }).supergraph.path).toBe('/graphql');
  });

  it.each([
    ['${env.DEPTH}', 'limits.max_depth: needs the variable DEPTH, which is not set'],
    ['${file./nowhere}', 'limits.max_depth: cannot read the file /nowhere'],
    [
      '${DEPTH:-secret}',
      'limits.max_depth: holds a variable that is neither ${env.NAME} nor ${file.PATH}; write ${env.DEPTH} for a variable of the environment',
    ],
    ['${vault.depth}', 'limits.max_depth: holds a variable that is neither ${env.NAME} nor ${file.PATH}'],
  ])('is a fault without a value: %s', (reference, fault) => {
    expect(faultsOf(`limits: { max_depth: "${reference}" }`)).toEqual([fault]);
  });

  it.each([
    ['a list', 'cors: { allow_headers: ["${env.NAME}"] }', 'cors.allow_headers[0]'],
    ['a map', 'override_subgraph_url: { products: "${env.NAME}" }', 'override_subgraph_url.products'],
    ['a longer text', 'supergraph: { path: "/${env.NAME}/graphql" }', 'supergraph.path'],
    [
      'a key that has to be there',
      'authentication: { router: { jwt: { jwks: [ { url: "${env.NAME}" } ] } } }',
      'authentication.router.jwt.jwks[0].url',
    ],
  ])('is one fault without a value, also in %s', (_where, text, path) => {
    expect(faultsOf(text)).toEqual([`${path}: needs the variable NAME, which is not set`]);
  });

  it('is not expanded after $$', () => {
    expect(configOf('supergraph: { path: "/$${env.X}" }'.replace('{env.X}', 'x')).supergraph.path).toBe(
      '/$x',
    );
  });

  it('never shows its value in a message', () => {
    const faults = faultsOf('supergraph: { listen: "${env.ADDRESS}" }', { env: { ADDRESS: 'hunter2' } });
    expect(faults.join()).not.toContain('hunter2');
  });
});

describe('An overlay', () => {
  const base = 'limits: { max_depth: 3, max_aliases: 4 }\ncsrf: { required_headers: [a, b] }';

  it('merges maps, and replaces lists and scalars', () => {
    const overlay = 'limits: { max_depth: 5 }\ncsrf: { required_headers: [c] }';
    expect(configOf(base, { overlay })).toMatchObject({
      limits: { max_depth: 5, max_aliases: 4 },
      csrf: { required_headers: ['c'] },
    });
  });

  it('removes a key with null', () => {
    expect(configOf(base, { overlay: 'limits: { max_depth: null }' }).limits.max_depth).toBeUndefined();
  });

  it('overrides a limit that the base file has in the other place', () => {
    expect(configOf(base, { overlay: 'limits: { router: { max_depth: 9 } }' }).limits.max_depth).toBe(9);
  });

  it('overrides a variable, which then need not be set', () => {
    const overlay = 'limits: { max_depth: 2 }';
    expect(configOf('limits: { max_depth: "${env.DEPTH}" }', { overlay }).limits.max_depth).toBe(2);
  });
});

describe('readRouterConfig refuses keys that contradict each other', () => {
  it.each([
    [
      'apq: { enabled: true }\npersisted_queries: { enabled: true, safelist: { enabled: true } }',
      'apq.enabled: must be false while persisted_queries.safelist.enabled is true',
    ],
    [
      'persisted_queries: { enabled: true, safelist: { require_id: true } }',
      'persisted_queries.safelist.require_id: needs persisted_queries.safelist.enabled',
    ],
    [
      'persisted_queries: { safelist: { enabled: true } }',
      'persisted_queries.safelist.enabled: needs persisted_queries.enabled',
    ],
    [
      'persisted_queries: { log_unknown: true }',
      'persisted_queries.log_unknown: needs persisted_queries.enabled',
    ],
    [
      'meridian: { tiers: { claim: plan, default: gold, limits: { free: {}, pro: {} } } }',
      'meridian.tiers.default: is gold, which is missing in meridian.tiers.limits; it takes one of free, pro',
    ],
    [
      'meridian: { tiers: { claim: plan, limits: { free: { max_cost: 5 } } } }',
      'meridian.tiers.limits: max_cost needs demand_control.enabled, with a strategy',
    ],
    ['demand_control: { enabled: true }', 'demand_control: needs strategy.static_estimated'],
    [
      'telemetry: { exporters: { tracing: { otlp: { grpc: { cert: x } } } } }',
      'telemetry.exporters.tracing.otlp.grpc: cert and key need each other',
    ],
  ])('in %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });
});

describe('The endpoint of a collector', () => {
  it.each([
    ['default', 'default'],
    ['tempo:4317', 'http://tempo:4317'],
    ['https://otlp.example/v1/traces', 'https://otlp.example/v1/traces'],
  ])('may be %s', (endpoint, read) => {
    const text = `telemetry: { exporters: { tracing: { otlp: { enabled: true, endpoint: "${endpoint}" } } } }`;
    expect(configOf(text).telemetry.exporters.tracing.otlp).toMatchObject({
      endpoint: read,
      protocol: 'grpc',
    });
  });

  it.each(['ftp://tempo', 'no host', ''])('is no "%s"', (endpoint) => {
    const text = `telemetry: { exporters: { tracing: { otlp: { enabled: true, endpoint: "${endpoint}" } } } }`;
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^telemetry\.exporters\.tracing\.otlp\.endpoint: holds .*tempo:4317/),
    ]);
  });
});
