import { describe, expect, it } from '@jest/globals';

import { faultsOf, read } from '../read.fixture.ts';

describe('An unknown key', () => {
  it.each([
    ['limits: { max_dpeth: 3 }', 'limits.max_dpeth: is unknown; the nearest known key is limits.max_depth'],
    [
      'supergraph: { max_depth: 3 }',
      'supergraph.max_depth: is unknown; the nearest known key is limits.max_depth',
    ],
    ['limts: {}', 'limts: is unknown; the nearest known key is limits'],
    ['fleet_detection: {}', 'fleet_detection: is unknown; no known key has a similar name'],
    ['cors: { private: {} }', 'cors.private: is unknown; no known key has a similar name'],
    [
      'traffic_shaping: { subgraphs: { reviews: { tiemout: 3s } } }',
      'traffic_shaping.subgraphs.reviews.tiemout: is unknown; the nearest known key is traffic_shaping.subgraphs.*.timeout',
    ],
    [
      'limits: { router: { max_dpeth: 3 } }',
      'limits.router.max_dpeth: is unknown; the nearest known key is limits.max_depth',
    ],
    [
      'traffic_shaping: { timeout: 3s }',
      'traffic_shaping.timeout: is unknown; the nearest known key is traffic_shaping.router.timeout',
    ],
    [
      'traffic_shaping: { all: &all { timeout: 3s }, subgraphs: { a: { <<: *all } } }',
      'traffic_shaping.subgraphs.a.<<: is unknown; YAML 1.2 has no merge keys: an alias is a whole value',
    ],
    ['listen: 0.0.0.0:4000', 'listen: is unknown; the address for clients is supergraph.listen'],
    [
      'telemetry: { tracing: { jaeger: { agent: { endpoint: default } } } }',
      'telemetry.tracing.jaeger: is unknown; Jaeger takes OTLP, by gRPC at port 4317: telemetry.exporters.tracing.otlp',
    ],
    [
      'telemetry: { metrics: { common: { attributes: { supergraph: { static: [ { name: a, value: b } ] } } } } }',
      'telemetry.metrics.common.attributes: is unknown; attributes of requests belong to instruments: telemetry.instrumentation.instruments',
    ],
    [
      'meridian: { exector: apollo }',
      'meridian.exector: is unknown; the nearest known key is meridian.executor',
    ],
  ])('stops the start with its path and the nearest known one: %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each([
    ['rhai: { scripts: x }', 'rhai'],
    [
      'authentication: { router: { jwt: { jwks: [ { url: "https://a", allow_missing_exp: true } ] } } }',
      'authentication.router.jwt.jwks[0].allow_missing_exp',
    ],
  ])('of Apollo Router is named as one that this gateway does not have: %s', (text, path) => {
    const [fault, ...others] = faultsOf(text);
    expect(fault).toContain(`${path}: Apollo Router has this key, and this gateway does not: `);
    expect(others).toEqual([]);
  });

  it('of Apollo Router that changes nothing for clients is ignored, and listed', () => {
    const { ignored, notes } = read(`
      homepage: { enabled: false }
      headers: { all: { request: { masking: { enabled: false } }, response: { masking: { enabled: false } } } }
      supergraph: { early_cancel: true }
      telemetry:
        apollo: { client_name_header: x }
        instrumentation:
          spans: { http_client: { attributes: { a: b } }, connector: { attributes: { a: b } } }
          events: { connector: { request: info } }
          instruments: { cache: { any: true }, graphql: { list.length: true } }
        exporters: { metrics: { otlp: { enabled: true } } }
      traffic_shaping: { all: { pool_idle_timeout: 1s }, subgraphs: { a: { pool_idle_timeout: 1s } } }
    `);
    expect(ignored).toEqual({
      withoutEffect: [
        'homepage',
        'headers.all.request.masking',
        'headers.all.response',
        'supergraph.early_cancel',
        'telemetry.apollo',
        'telemetry.instrumentation.spans.http_client',
        'telemetry.instrumentation.spans.connector',
        'telemetry.instrumentation.events.connector',
        'telemetry.instrumentation.instruments.cache',
        'telemetry.instrumentation.instruments.graphql',
        'traffic_shaping.all.pool_idle_timeout',
        'traffic_shaping.subgraphs.a.pool_idle_timeout',
      ],
      unsupported: [],
    });
    expect(notes).toEqual([]);
  });
});

describe('A key of Apollo Router that this gateway does not have', () => {
  it.each([
    'rhai: {}',
    'plugins: {}',
    'coprocessor:',
    'limits: { warn_only: false }',
    'authentication: { router: { jwt: { jwks: [], header_name: Authorization, header_value_prefix: Bearer } } }',
    'telemetry: { exporters: { tracing: { datadog: { enabled: false }, propagation: { datadog: false } } } }',
  ])('is accepted without a word when it asks for the default: %s', (text) => {
    expect(read(text).ignored).toEqual({ withoutEffect: [], unsupported: [] });
  });

  it.each([
    ['plugins: { experimental.expose_query_plan: true }', 'plugins'],
    [
      'supergraph: { query_planning: { incremental_planner: { enabled: true, beam_width: 4 } } }',
      'supergraph.query_planning.incremental_planner',
    ],
    ['supergraph: { strict_variable_validation: measure }', 'supergraph.strict_variable_validation'],
    ['connectors: { sources: { a.b: { override_url: "http://c" } } }', 'connectors'],
    ['experimental_hoist_orphan_errors: { all: { enabled: true } }', 'experimental_hoist_orphan_errors'],
  ])('is ignored when something else serves its purpose, or Router ignores it too: %s', (text, path) => {
    expect(read(text).ignored.withoutEffect).toEqual([path]);
  });

  it.each([
    'plugins: { experimental.expose_query_plan: true, example.sign_requests: { key: a } }',
    'telemetry: { exporters: { tracing: { propagation: { datadog: true } } } }',
    'authentication: { router: { jwt: { jwks: [ { url: "https://a.example", allow_missing_exp: true } ] } } }',
  ])('stops the start when it asks for more: %s', (text) => {
    expect(faultsOf(text)).toEqual([
      expect.stringContaining(': Apollo Router has this key, and this gateway does not: '),
    ]);
  });
});

describe('meridian.unsupported_keys: warn', () => {
  const warn = 'meridian: { unsupported_keys: warn }';

  it('ignores the keys that only Apollo Router has, and still refuses unknown ones', () => {
    const text = `${warn}\nexperimental_mock_subgraphs: { a: { b: 1 } }`;
    expect(read(text).ignored.unsupported).toEqual(['experimental_mock_subgraphs']);
    expect(faultsOf(`${text}\nlimts: {}`)).toEqual([expect.stringMatching(/^limts: is unknown/)]);
    expect(faultsOf('experimental_mock_subgraphs: { a: { b: 1 } }')).toHaveLength(1);
  });

  it.each([
    'authentication: { router: { jwt: { jwks: [ { url: "https://a.example", allow_missing_exp: true } ] } } }',
    'telemetry: { exporters: { tracing: { otlp: { http: { tls: { ca: a } } } } } }',
    'rhai: { main: a }',
  ])('does not ignore what may limit callers or protect what is sent: %s', (text) => {
    expect(faultsOf(`${warn}\n${text}`)).toEqual([
      expect.stringContaining(': Apollo Router has this key, and this gateway does not: '),
    ]);
  });

  it("ignores the operator's own code in development, where it may be tried without", () => {
    const text = `${warn}\nrhai: { main: a }\ntelemetry: { exporters: { tracing: { otlp: { http: { tls: { ca: a } } } } } }`;
    expect(faultsOf(text, { mode: 'development' })).toEqual([
      expect.stringMatching(/^telemetry.exporters.tracing.otlp.http.tls: /),
    ]);
  });
});
