import { describe, expect, it } from '@jest/globals';

import { faultsOf, read } from '../read.fixture.ts';

describe('A key in an earlier place', () => {
  it.each([
    [
      'telemetry: { tracing: { propagation: { awsxray: true } } }',
      { telemetry: { exporters: { tracing: { propagation: { aws_xray: true } } } } },
    ],
    ['health-check: { path: /up }', { health_check: { path: '/up' } }],
    [
      'server: { cors: { origins: ["https://a"], allow_credentials: true } }',
      { cors: { policies: [{ origins: ['https://a'] }], allow_credentials: true } },
    ],
    ['server: { experimental_defer_support: false }', { supergraph: { defer_support: false } }],
    ['preview_demand_control: { enabled: false }', { demand_control: { enabled: false } }],
    [
      'headers: { all: [ { propagate: { named: a } } ], subgraphs: { users: [ { remove: { named: b } } ] } }',
      {
        headers: {
          all: { request: { operations: [{ propagate: { named: 'a' } }] } },
          subgraphs: new Map([['users', { request: { operations: [{ remove: { named: 'b' } }] } }]]),
        },
      },
    ],
    [
      'telemetry: { metrics: { otlp: { timeout: 2s } } }',
      { telemetry: { exporters: { metrics: { otlp: { batch_processor: { max_export_timeout: 2000 } } } } } },
    ],
    [
      'telemetry: { experimental_logging: { format: pretty } }',
      { telemetry: { exporters: { logging: { stdout: { format: 'text' } } } } },
    ],
    ['preview_operation_limits: { max_depth: 3 }', { limits: { max_depth: 3 } }],
    [
      'server: { listen: 0.0.0.0:80, endpoint: /graph, introspection: true }',
      { supergraph: { listen: { host: '0.0.0.0', port: 80 }, path: '/graph', introspection: true } },
    ],
    ['server: { experimental_parser_recursion_limit: 9 }', { limits: { parser_max_recursion: 9 } }],
    [
      'persisted_queries: { experimental_local_manifests: [m.json] }',
      { persisted_queries: { local_manifests: ['m.json'] } },
    ],
    [
      'authentication: { jwt: { jwks: [ { url: "https://a", issuer: me } ] } }',
      { authentication: { router: { jwt: { jwks: [{ url: 'https://a', issuers: ['me'] }] } } } },
    ],
    ['preview_response_cache: { enabled: true }', { response_cache: { enabled: true } }],
    [
      'preview_entity_cache: { enabled: true, subgraph: { all: { redis: { urls: ["redis://a"], timeout: 2s } } } }',
      { response_cache: { enabled: true, subgraph: { all: { redis: { fetch_timeout: 2000 } } } } },
    ],
    [
      'preview_entity_cache: { enabled: true, redis: { urls: ["redis://a"] } }',
      { response_cache: { enabled: true, subgraph: { all: { redis: { urls: ['redis://a'] } } } } },
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

  it.each([
    ['compiled', 'fast_path'],
    ['reference', 'slow_path'],
  ])('may be an earlier name of an executor, with a note: %s', (earlier, current) => {
    const { config, notes } = read(`meridian: { executor: ${earlier} }`);
    expect(config.meridian.executor).toBe(current);
    expect(notes).toEqual([`meridian.executor: ${earlier} is an earlier name of ${current}`]);
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
