import { describe, expect, it } from '@jest/globals';

import { configOf, faultsOf, read } from '../read.fixture.ts';

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

  it('refuses a file that is not a map', () => {
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
      'meridian: { exector: apollo }',
      'meridian.exector: is unknown; the nearest known key is meridian.executor',
    ],
  ])('stops the start with its path and the nearest known one: %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each([
    ['rhai: { scripts: x }', 'rhai'],
    ['limits: { max_recursive_selections: 3 }', 'limits.max_recursive_selections'],
    ['limits: { router: { warn_only: true } }', 'limits.router.warn_only'],
    [
      'traffic_shaping: { subgraphs: { a: { global_rate_limit: { capacity: 1, interval: 1s } } } }',
      'traffic_shaping.subgraphs.a.global_rate_limit',
    ],
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
      supergraph: { defer_support: true }
      telemetry:
        apollo: { client_name_header: x }
        instrumentation:
          spans: { router: { attributes: { a: b } }, supergraph: { attributes: { a: b } } }
          events: { router: { request: info } }
          instruments: { router: { http.server.request.body.size: true } }
        exporters: { metrics: { otlp: { enabled: true } } }
      traffic_shaping: { all: { compression: gzip }, subgraphs: { a: { compression: br } } }
    `);
    expect(ignored).toEqual({
      withoutEffect: [
        'homepage',
        'headers.all.request.masking',
        'headers.all.response',
        'supergraph.defer_support',
        'telemetry.apollo',
        'telemetry.instrumentation.spans.router',
        'telemetry.instrumentation.spans.supergraph',
        'telemetry.instrumentation.events',
        'telemetry.instrumentation.instruments',
        'telemetry.exporters.metrics.otlp',
        'traffic_shaping.all.compression',
        'traffic_shaping.subgraphs.a.compression',
      ],
      unsupported: [],
    });
    expect(notes).toEqual([]);
  });
});

describe('A key of Apollo Router that this gateway does not have', () => {
  it.each([
    'subscription: { enabled: false }',
    'batching: { enabled: false, mode: batch_http_link }',
    'plugins: {}',
    'apq: { subgraph: { all: { enabled: false }, subgraphs: {} } }',
    'coprocessor:',
    'forbid_mutations: false',
    'limits: { warn_only: false }',
    'authentication: { router: { jwt: { jwks: [], header_name: Authorization, header_value_prefix: Bearer } } }',
    'telemetry: { exporters: { tracing: { zipkin: { enabled: false }, propagation: { jaeger: false } } } }',
  ])('is accepted without a word when it asks for the default: %s', (text) => {
    expect(read(text).ignored).toEqual({ withoutEffect: [], unsupported: [] });
  });

  it.each([
    ['plugins: { experimental.expose_query_plan: true }', 'plugins'],
    [
      'telemetry: { exporters: { tracing: { experimental_response_trace_id: { enabled: true } } } }',
      'telemetry.exporters.tracing.experimental_response_trace_id',
    ],
    [
      'traffic_shaping: { all: { experimental_retry: { ttl: 10s } } }',
      'traffic_shaping.all.experimental_retry',
    ],
  ])('is ignored when something else serves its purpose, or Router ignores it too: %s', (text, path) => {
    expect(read(text).ignored.withoutEffect).toEqual([path]);
  });

  it.each([
    'plugins: { experimental.expose_query_plan: true, example.sign_requests: { key: a } }',
    'telemetry: { exporters: { tracing: { experimental_response_trace_id: { enabled: true, header_name: x-trace } } } }',
    'telemetry: { exporters: { tracing: { experimental_response_trace_id: { enabled: true, format: uuid } } } }',
    'cors: { policies: [ { origins: ["https://a.example"], private_network_access: { access_id: a } } ] }',
    'subscription: { enabled: true }',
    'subscription: { mode: { passthrough: { all: { path: /ws } } } }',
    'forbid_mutations: true',
    'authentication: { router: { jwt: { jwks: [], header_name: X-Token } } }',
    'supergraph: { enable_result_coercion_errors: false }',
  ])('stops the start when it asks for more: %s', (text) => {
    expect(faultsOf(text)).toEqual([
      expect.stringContaining(': Apollo Router has this key, and this gateway does not: '),
    ]);
  });
});

describe('meridian.unsupported_keys: warn', () => {
  const warn = 'meridian: { unsupported_keys: warn }';

  it('ignores the keys that only Apollo Router has, and still refuses unknown ones', () => {
    const text = `${warn}\nbatching: { enabled: true }\nsubscription: { enabled: true }`;
    expect(read(text).ignored.unsupported).toEqual(['batching', 'subscription']);
    expect(faultsOf(`${text}\nlimts: {}`)).toEqual([expect.stringMatching(/^limts: is unknown/)]);
    expect(faultsOf('batching: { enabled: true }')).toHaveLength(1);
  });

  it.each([
    'authentication: { router: { jwt: { jwks: [], sources: [ { type: cookie, name: a } ] } } }',
    'authentication: { subgraph: { all: { aws_sig_v4: { hardcoded: { region: a } } } } }',
    'authorization: { directives: { reject_unauthorized: true } }',
    'cors: { policies: [ { origins: ["https://a.example"], private_network_access: { access_id: a } } ] }',
    'demand_control: { strategy: { static_estimated: { max: 1, list_size: 1, subgraph: { all: { max: 1 } } } } }',
    'forbid_mutations: true',
    'limits: { max_recursive_selections: 9 }',
    'limits: { http1_max_request_headers: 9 }',
    'server: { http: { header_read_timeout: 1s } }',
    'supergraph: { strict_variable_validation: measure }',
    'telemetry: { exporters: { tracing: { otlp: { http: { tls: { ca: a } } } } } }',
    'tls: { supergraph: { certificate: a } }',
    'traffic_shaping: { all: { global_rate_limit: { capacity: 1, interval: 1s } } }',
    'rhai: { main: a }',
    'coprocessor: { url: "http://a" }',
  ])('does not ignore what may limit callers or protect what is sent: %s', (text) => {
    expect(faultsOf(`${warn}\n${text}`)).toEqual([
      expect.stringContaining(': Apollo Router has this key, and this gateway does not: '),
    ]);
  });

  it("ignores the operator's own code in development, where it may be tried without", () => {
    const text = `${warn}\nrhai: { main: a }\ncoprocessor: { url: "http://a" }\ntls: { supergraph: { certificate: a } }`;
    expect(faultsOf(text, { mode: 'development' })).toEqual([expect.stringMatching(/^tls: /)]);
  });
});

describe('A key in an earlier place', () => {
  it.each([
    ['health-check: { path: /up }', { health_check: { path: '/up' } }],
    ['preview_operation_limits: { max_depth: 3 }', { limits: { max_depth: 3 } }],
    ['server: { experimental_parser_recursion_limit: 9 }', { limits: { parser_max_recursion: 9 } }],
    [
      'persisted_queries: { experimental_local_manifests: [m.json] }',
      { persisted_queries: { local_manifests: ['m.json'] } },
    ],
    [
      'authentication: { jwt: { jwks: [ { url: "https://a", issuer: me } ] } }',
      { authentication: { router: { jwt: { jwks: [{ url: 'https://a', issuers: ['me'] }] } } } },
    ],
  ])('is accepted with a note: %s', (text, config) => {
    const { config: found, notes } = read(text);
    expect(found).toMatchObject(config);
    expect(notes).not.toEqual([]);
  });

  it.each([
    [
      'telemetry: { tracing: { trace_config: { service_name: edge, attributes: { zone: a } } } }',
      { common: { service_name: 'edge', resource: new Map([['zone', 'a']]) } },
    ],
    [
      'telemetry: { tracing: { otlp: { timeout: 7s, protocol: http } } }',
      { otlp: { enabled: true, batch_processor: { max_export_timeout: 7000 } } },
    ],
    ['telemetry: { tracing: { otlp: { enabled: false } } }', { otlp: { enabled: false } }],
  ])('is accepted with a note: %s', (text, tracing) => {
    const { config, notes } = read(text);
    expect(config.telemetry.exporters.tracing).toMatchObject(tracing);
    expect(notes).not.toEqual([]);
  });

  it.each([
    'experimental_batching: { enabled: true }',
    'preview_connectors: { sources: { a.b: { override_url: "http://c" } } }',
    'preview_response_cache: { enabled: true }',
  ])('is reported as renamed by Apollo Router, and not supported here: %s', (text) => {
    const name = text.split(':', 1)[0] ?? '';
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(new RegExp(`^${name}: Apollo Router has this key, and this gateway does not: `)),
    ]);
  });

  it('is reported with the members below it as the author wrote them', () => {
    expect(faultsOf('telemetry: { tracing: { trace_config: { sampler: often } } }')).toEqual([
      expect.stringMatching(/^telemetry\.tracing\.trace_config\.sampler: holds/),
    ]);
  });

  it('may be true or false when it has become a map, or a word', () => {
    const { config } = read(`
      persisted_queries: { enabled: true, experimental_prewarm_query_plan_cache: true }
      traffic_shaping:
        all: { experimental_enable_http2: false }
        subgraphs: { users: { experimental_enable_http2: true } }
    `);
    expect(config).toMatchObject({
      persisted_queries: { experimental_prewarm_query_plan_cache: { on_startup: true, on_reload: true } },
      traffic_shaping: {
        all: { experimental_http2: 'disable' },
        subgraphs: new Map([['users', expect.objectContaining({ experimental_http2: 'enable' })]]),
      },
    });
  });

  it('may have the name of Apollo Router 3 without a note', () => {
    const text = 'traffic_shaping: { all: { http2: disable }, subgraphs: { users: { http2: enable } } }';
    const { config, notes } = read(text);
    expect(config.traffic_shaping.all.experimental_http2).toBe('disable');
    expect(config.traffic_shaping.subgraphs.get('users')?.experimental_http2).toBe('enable');
    expect(notes).toEqual([]);
  });

  it('may be a list of header rules without the key `operations`, with a note', () => {
    const { config, notes } = read('headers: { all: { request: [ { propagate: { named: cookie } } ] } }');
    expect(config.headers.all.request.operations).toMatchObject([{ propagate: { named: 'cookie' } }]);
    expect(notes).toEqual(['headers.all.request is an earlier place of headers.all.request.operations']);
  });

  it("may be a limit, in the specification's place or in Router 2.16's, without a note", () => {
    const text = 'limits: { max_depth: 3, router: { max_aliases: 4 } }';
    expect(read(text)).toMatchObject({ config: { limits: { max_depth: 3, max_aliases: 4 } }, notes: [] });
  });

  it('is refused when a limit is in both places', () => {
    expect(faultsOf('limits: { max_depth: 3, router: { max_depth: 4 } }')).toEqual([
      'limits.router.max_depth: is also at limits.max_depth; keep one',
    ]);
  });

  it('is reported as the author wrote it', () => {
    expect(faultsOf('limits: { router: { max_depth: deep } }')).toEqual([
      expect.stringMatching(/^limits\.router\.max_depth: holds/),
    ]);
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
    ['demand_control: { enabled: true }', 'demand_control: needs strategy.static_estimated'],
    [
      'telemetry: { exporters: { tracing: { otlp: { enabled: true } } } }',
      expect.stringMatching(/^telemetry\.exporters\.tracing\.otlp\.protocol: needs http, and .* 4318 /),
    ],
    [
      'telemetry: { exporters: { tracing: { otlp: { enabled: true, protocol: grpc, endpoint: "http://a:4317" } } } }',
      expect.stringMatching(/^telemetry\.exporters\.tracing\.otlp\.protocol: needs http, and .* 4318 /),
    ],
  ])('in %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });
});

describe('A trace exporter that is off', () => {
  it('may name gRPC, because nothing is sent', () => {
    const text = 'telemetry: { exporters: { tracing: { otlp: { enabled: false, protocol: grpc } } } }';
    expect(configOf(text).telemetry.exporters.tracing.otlp.enabled).toBe(false);
  });
});

describe('include_subgraph_errors', () => {
  it('may say which parts of errors are shown, in place of true and false', () => {
    const text = `include_subgraph_errors:
      all: { redact_message: true, allow_extensions_keys: [code] }
      subgraphs: { reviews: { redact_message: false, deny_extensions_keys: [stacktrace] }, users: true }`;
    expect(configOf(text).include_subgraph_errors).toMatchObject({
      all: { redact_message: true, allow_extensions_keys: ['code'] },
      subgraphs: new Map<string, unknown>([
        ['reviews', expect.objectContaining({ redact_message: false, deny_extensions_keys: ['stacktrace'] })],
        ['users', true],
      ]),
    });
  });

  it.each([
    [
      '{ all: { redact_message: true, allow_extensions_keys: [a], deny_extensions_keys: [b] } }',
      'include_subgraph_errors.all: takes either allow_extensions_keys or deny_extensions_keys',
    ],
    ['{ all: { allow_extensions_keys: [a] } }', 'include_subgraph_errors.all.redact_message: is required'],
    [
      '{ all: true, subgraphs: { a: { redact_message: true } } }',
      'include_subgraph_errors: takes only true or false under subgraphs while all is true or false',
    ],
    [
      '{ all: { redact_message: true, allow_extension_keys: [a] } }',
      'include_subgraph_errors.all.allow_extension_keys: is unknown; the nearest known key is include_subgraph_errors.all.allow_extensions_keys',
    ],
  ])('may not be %s, as in Apollo Router', (setting, fault) => {
    expect(faultsOf(`include_subgraph_errors: ${setting}`)).toContain(fault);
  });
});
