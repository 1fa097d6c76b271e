import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { EnvironmentError } from '@meridian/settings/environment';
import { RouterConfigError } from '@meridian/router-config';

import type { GatewayConfig } from '../../src/config/gateway-config.ts';
import { readConfig } from '../../src/config/gateway-config.ts';
import { useFolder } from '../support/use-folder.ts';

const directory = useFolder();
const jwt = (source: string): string => `authentication: { router: { jwt: { jwks: [ ${source} ] } } }`;

describe('readConfig', () => {
  it('serves the health check to clients where router.yaml gives both listeners one address', () => {
    const { listen, admin, isHealthPublic, notes } = read(
      'supergraph: { listen: 0.0.0.0:4000 }\nhealth_check: { listen: 127.0.0.1:4000, path: /up }',
    );
    expect({ listen, admin, isHealthPublic }).toEqual({
      listen: { host: '0.0.0.0', port: 4000 },
      admin: { host: '127.0.0.1', port: 8088 },
      isHealthPublic: true,
    });
    expect(notes).toEqual([expect.stringContaining('only /up is served there')]);
    expect(read('').isHealthPublic).toBe(false);
  });

  it('listens where router.yaml says, unless the environment overrides it', () => {
    const text = 'supergraph: { listen: 0.0.0.0:4000 }\nhealth_check: { listen: 127.0.0.1:9000 }';
    expect(read(text)).toMatchObject({
      listen: { host: '0.0.0.0', port: 4000 },
      admin: { host: '127.0.0.1', port: 9000 },
    });
    expect(read(text, { PORT: '1', HOST: '::', ADMIN_PORT: '2', ADMIN_HOST: '::1' })).toMatchObject({
      listen: { host: '::', port: 1 },
      admin: { host: '::1', port: 2 },
    });
  });

  it('has OpenTelemetry’s variables count more than the file, as in Apollo Router', () => {
    const { tracing, metricsPush } = read(
      `telemetry: { exporters: {
        tracing: { common: { service_name: a, resource: { zone: a, rack: a } }, otlp: { enabled: true }, zipkin: { enabled: true } },
        metrics: { otlp: { enabled: true, protocol: http } } } }`,
      {
        OTEL_SERVICE_NAME: 'edge',
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=other, zone=b%2Cc',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'HTTP/protobuf',
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
        OTEL_EXPORTER_ZIPKIN_ENDPOINT: 'http://zipkin:9411',
        OTEL_BSP_SCHEDULE_DELAY: '7',
        OTEL_BSP_MAX_QUEUE_SIZE: '8',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
        OTEL_BSP_EXPORT_TIMEOUT: '900',
      },
    );
    const batches = { scheduledDelayMs: 7, maxQueueSize: 8, maxBatchSize: 4, exportTimeoutMs: 900 };
    expect(tracing?.exporters).toMatchObject([
      {
        ...batches,
        destination: { protocol: 'http', url: 'http://127.0.0.1:4318/v1/traces' },
        resource: { 'service.name': 'edge', zone: 'b,c', rack: 'a' },
      },
      { ...batches, destination: { url: 'http://zipkin:9411/api/v2/spans' } },
    ]);
    expect(metricsPush).toMatchObject({
      destination: { protocol: 'grpc' },
      intervalMs: 5000,
      resource: { 'service.name': 'edge', zone: 'b,c' },
    });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'json' }, 'grpc or http/protobuf'],
    [{ OTEL_RESOURCE_ATTRIBUTES: '=a' }, 'name=value, separated by commas'],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'prod' }, 'name=value, separated by commas'],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'a=%' }, 'name=value, separated by commas'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a' }, 'unset OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a' }, 'unset OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
  ])('does not start with %j', (env, message) => {
    expect(() => read('telemetry: { exporters: { tracing: { otlp: { enabled: true } } } }', env)).toThrow(
      message,
    );
    expect(() => read('', 'OTEL_EXPORTER_OTLP_ENDPOINT' in env ? env : {})).not.toThrow();
  });

  it.each([
    ['', {}, 'json'],
    ['{ format: text }', {}, 'text'],
    ['{ format: { text: { display_span_id: true } } }', {}, 'text'],
    ['{ format: { json: {} }, tty_format: text, rate_limit: { enabled: true } }', {}, 'json'],
    ['{ format: text }', { LOG_FORMAT: 'json' }, 'json'],
  ])('has a log as stdout: %s with %j says', (stdout, env, format) => {
    const text = stdout === '' ? '' : `telemetry: { exporters: { logging: { stdout: ${stdout} } } }`;
    expect(read(text, env).logFormat).toBe(format);
  });

  it.each(['xml', '{ xml: {} }', '{ json: nonsense }', '{ json: {}, text: {} }', '[]'])(
    'has no log as stdout.format: %s',
    (format) => {
      expect(() => read(`telemetry: { exporters: { logging: { stdout: { format: ${format} } } } }`)).toThrow(
        'telemetry.exporters.logging.stdout.format',
      );
    },
  );

  it('lays the overlay of ROUTER_CONFIG_OVERLAY_PATH over the file', () => {
    const overlay = file('overlay.yaml', 'limits: { max_depth: 9 }');
    const config = read('limits: { max_depth: 3, max_aliases: 4 }', { ROUTER_CONFIG_OVERLAY_PATH: overlay });
    expect(config.file.limits).toMatchObject({ max_depth: 9, max_aliases: 4 });
  });

  it('gives each subgraph its own settings, or those for all subgraphs', () => {
    const { subgraphs } = read(`
      traffic_shaping:
        all: { timeout: 5s, deduplicate_query: false }
        subgraphs: { reviews: { timeout: 800ms, deduplicate_query: true, experimental_http2: disable } }
      limits: { subgraph: { subgraphs: { reviews: { http_max_response_size: 1KiB } } } }
    `);
    expect([subgraphs.settingsOf('reviews'), subgraphs.settingsOf('products')]).toMatchObject([
      { timeoutMs: 800, maxResponseBytes: 1024, deduplicatesQueries: true, isHttp2Allowed: false },
      {
        timeoutMs: 5000,
        maxResponseBytes: 16 * 1024 * 1024,
        deduplicatesQueries: false,
        isHttp2Allowed: true,
      },
    ]);
  });

  it('takes the issuer and the audience from the environment when the file names none', () => {
    const env = { JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'shop' };
    expect(read(jwt('{ url: "https://issuer.example/jwks" }'), env)).toMatchObject({
      issuers: [
        { issuer: 'https://issuer.example', audience: 'shop', jwksUrl: 'https://issuer.example/jwks' },
      ],
      openKeySets: [],
      notes: [],
    });
  });

  it('accepts every issuer, with a note, when neither the file nor the environment names one', () => {
    const text = `${jwt('{ url: "https://a.example" }')}
meridian: { authentication: { tenant_claim: tenant, tenants: { a: [acme] } } }`;
    const { issuers, openKeySets, notes } = read(text);
    expect({ issuers, openKeySets }).toMatchObject({
      issuers: [],
      openKeySets: [
        {
          jwksUrl: 'https://a.example',
          audience: undefined,
          tenantClaim: 'tenant',
          tenants: new Map([['a', ['acme']]]),
        },
      ],
    });
    expect(notes).toEqual([
      expect.stringMatching(/^authentication\.router\.jwt\.jwks\[0\] names no issuers, so/),
    ]);
  });

  it("requires of tokens what Apollo Router's keys say, and more only by keys under meridian", () => {
    const keySet =
      '{ url: "file:///run/secrets/jwks", issuers: [a], audiences: [x, y], algorithms: [RS256] }';
    expect(read(jwt(keySet)).issuers).toMatchObject([
      { issuer: 'a', audience: ['x', 'y'], algorithms: ['RS256'], tenantClaim: null, requiredClaims: [] },
    ]);
    const rule = 'meridian: { authentication: { tenant_claim: tid, required_claims: [sub, jti] } }';
    expect(read(`${jwt('{ url: "https://a.example", issuers: [a] }')}\n${rule}`).issuers).toMatchObject([
      { audience: undefined, tenantClaim: 'tid', requiredClaims: ['sub', 'jti'] },
    ]);
  });

  it('notes that a limit for each tenant is one for each issuer, without a claim that names tenants', () => {
    const limit = 'throttle: { tenant: { capacity: 1, interval: 1s } }';
    const notesFor = (authentication: string): readonly string[] =>
      read(`${jwt('{ url: "https://a.example", issuers: [a] }')}
meridian: { ${limit}, authentication: ${authentication} }`).notes;
    expect(notesFor('{}')).toEqual([expect.stringMatching(/^meridian\.throttle\.tenant limits all callers/)]);
    expect(notesFor('{ tenant_claim: tid }')).toEqual([]);
  });

  it('accepts a JWKS over http:// from the hosts that meridian.authentication.plain_http_hosts lists', () => {
    const text = `${jwt('{ url: "http://users.svc.cluster.local/jwks", issuers: [a] }')}
meridian: { authentication: { plain_http_hosts: [users.svc.cluster.local] } }`;
    expect(read(text).issuers).toMatchObject([{ plainHttpHosts: ['users.svc.cluster.local'] }]);
  });

  it('serves introspection in production, with a warning unless meridian.public_schema is set', () => {
    const text = 'supergraph: { introspection: true }';
    const isPublic = `${text}\nmeridian: { public_schema: true }`;
    const warning = expect.stringMatching(
      /^supergraph\.introspection shows the whole schema to every accepted caller/,
    );
    expect(read(text).notes).toEqual([warning]);
    expect(read(isPublic).notes).toEqual([]);
    expect(read(text, { NODE_ENV: 'development' }).notes).toEqual([]);
  });

  it('notes a health check at a path that the admin listener uses for something else', () => {
    expect(read('health_check: { path: /metrics }').notes).toEqual([
      'health_check.path has no effect: the admin listener uses /metrics itself',
    ]);
  });

  it("reads which claim lists a caller's policies", () => {
    const text = `${jwt('{ url: "https://a.example", issuers: [a] }')}
meridian: { authorization: { policies_claim: grants } }`;
    expect(read(text).issuers).toMatchObject([{ policiesClaim: 'grants' }]);
  });

  it('reads which tenants an issuer may name', () => {
    const text = `${jwt('{ url: "https://a.example", issuers: [a, b] }')}
meridian: { authentication: { tenant_claim: tid, tenants: { a: [acme] } } }`;
    expect(read(text).issuers).toMatchObject([{ issuer: 'a', tenants: ['acme'] }, { issuer: 'b' }]);
  });

  it('watches the manifest at the root always, and others when hot_reload says so', () => {
    const queries = (more: string): string => `persisted_queries: { enabled: true ${more} }`;
    expect(read(queries('')).manifests).toEqual({ paths: ['persisted-queries.json'], isReloaded: true });
    const own = queries(', local_manifests: [m.json]');
    expect(read(own).manifests?.isReloaded).toBe(false);
    expect(read(own.replace(']', '], hot_reload: true')).manifests?.isReloaded).toBe(true);
  });

  it('leaves automatic persisted queries on, as Apollo Router does, but not with a safelist', () => {
    expect(read('').automaticQueries).toEqual({ in_memory: { limit: 512 }, redis: undefined });
    expect(
      read('persisted_queries: { enabled: true, safelist: { enabled: true } }').automaticQueries,
    ).toBeUndefined();
  });
});

describe('The Redis of a cache', () => {
  it.each(['apq.router.cache.redis', 'supergraph.query_planning.cache.redis'])(
    '%s is one server, not a cluster',
    (path) => {
      const text = path
        .split('.')
        .reduceRight((value, name) => `{ ${name}: ${value} }`, '{ urls: ["redis://a:1", "redis://b:1"] }');
      expect(() => read(text)).toThrow(`${path}.urls: takes exactly one: clusters are not supported`);
    },
  );
});

describe('readConfig throws', () => {
  it.each([
    [
      'required authentication without any way to authenticate',
      'authorization: { require_authentication: true }',
      'authorization.require_authentication: needs authentication.router.jwt; without it, every request would be rejected',
    ],
    [
      'tiers by a claim that no token can have',
      'meridian: { tiers: { claim: plan, limits: {} } }',
      'meridian.tiers.claim: needs authentication.router.jwt, which verifies the tokens that have it',
    ],
    [
      'required authentication by no key set',
      `${jwt('')}\nauthorization: { require_authentication: true }`,
      'authorization.require_authentication: needs authentication.router.jwt; without it, every request would be rejected',
    ],
    [
      'one address for both listeners',
      'supergraph: { listen: 0.0.0.0:8088 }\nhealth_check: { listen: 127.0.0.1:8088 }',
      'health_check.listen: is the address of supergraph.listen; the admin listener needs its own port',
    ],
    [
      'a replica_url without the key that replicas share',
      'subscription: { mode: { callback: { public_url: "http://a/callback" } } }\nmeridian: { subscription: { callback: { replica_url: "http://b/callback" } } }',
      'meridian.subscription.callback.replica_url: is http://b/callback, and needs the variable CALLBACK_SECRET, the same for all replicas: each verifies calls for streams of the others',
    ],
    [
      'a replica_url with credentials',
      'meridian: { subscription: { callback: { replica_url: "http://a:s3cret@b/callback" } } }',
      'meridian.subscription.callback.replica_url: takes no credentials, query or fragment',
    ],
    [
      'an http:// JWKS of another host in production',
      jwt('{ url: "http://users.svc.cluster.local/jwks", issuers: [a] }'),
      'authentication.router.jwt.jwks[0].url: takes an https:// or file:// URL without credentials, or in development also an http:// URL on loopback; or set meridian.authentication.plain_http_hosts: [users.svc.cluster.local] if responses of users.svc.cluster.local cannot be changed on their way here',
    ],
    [
      'a file:// JWKS of another machine',
      jwt('{ url: "file://host.example/jwks.json", issuers: [a] }'),
      'authentication.router.jwt.jwks[0].url: takes an https:// or file:// URL without credentials, or in development also an http:// URL on loopback',
    ],
    [
      'a key set with an empty list of issuers',
      jwt('{ url: "https://a.example", issuers: [] }'),
      'authentication.router.jwt.jwks[0].issuers: takes at least one; without the key, every issuer is accepted',
    ],
    [
      'an empty list of audiences',
      jwt('{ url: "https://a.example", issuers: [a], audiences: [] }'),
      'authentication.router.jwt.jwks[0].audiences: takes at least one; without the key, every audience is accepted',
    ],
    [
      'an empty list of algorithms',
      jwt('{ url: "https://a.example", issuers: [a], algorithms: [] }'),
      'authentication.router.jwt.jwks[0].algorithms: takes at least one',
    ],
    [
      'a cookie with a prefix',
      'authentication: { router: { jwt: { jwks: [], sources: [ { type: cookie, name: a, value_prefix: b } ] } } }',
      'authentication.router.jwt.sources[0]: takes for a cookie its name, and no value_prefix',
    ],
    [
      'tenants of an issuer, without the claim that names them',
      'meridian: { authentication: { tenants: { a: [acme] } } }',
      'meridian.authentication.tenants: needs meridian.authentication.tenant_claim, which names the claim that holds the tenant',
    ],
    [
      'a header field with the tenant, without the claim that names it',
      `${jwt('{ url: "https://a.example", issuers: [a] }')}
headers: { all: { request: { operations: [ { insert: { name: x, from_context: "meridian::tenant_id" } } ] } } }`,
      'headers.all.request.operations[0].insert.from_context: needs meridian.authentication.tenant_claim, which names the claim that holds the tenant',
    ],
    [
      'a secret that would be fetched',
      jwt('{ url: "https://a.example", algorithms: [HS256] }'),
      'authentication.router.jwt.jwks[0].algorithms: HS256 takes a secret, which is never fetched: put it as a key of the type oct into a file, and name that as file:// in authentication.router.jwt.jwks[0].url',
    ],
    [
      'tools without a manifest',
      'meridian: { mcp: { enabled: true, allow_anonymous: true } }',
      'meridian.mcp.enabled: its tools are the operations of the manifest; set persisted_queries.enabled: true',
    ],
    [
      'tools without tokens',
      'persisted_queries: { enabled: true }\nmeridian: { mcp: { enabled: true } }',
      'meridian.mcp.enabled: needs authentication.router.jwt; without it, callers are anonymous, which meridian.mcp.allow_anonymous: true confirms',
    ],
    [
      'tools at the path of the graph',
      'persisted_queries: { enabled: true }\nmeridian: { mcp: { enabled: true, allow_anonymous: true, path: /graphql } }',
      'meridian.mcp.path: is the path of the graph; the endpoint needs its own, such as /mcp',
    ],
    [
      'tools for tokens of any audience',
      `${jwt('{ url: "https://a.example", issuers: [a] }')}
persisted_queries: { enabled: true }
meridian: { mcp: { enabled: true, resource: "https://a.example/mcp" } }`,
      'meridian.mcp.audiences: is needed, because a token of another service must not be accepted here, and authentication names no audience',
    ],
    [
      'tools without a public URL, in production',
      `${jwt('{ url: "https://a.example", issuers: [a], audiences: [b] }')}
persisted_queries: { enabled: true }
meridian: { mcp: { enabled: true } }`,
      'meridian.mcp.resource: is needed in production: the public URL of the endpoint, such as https://api.example/mcp',
    ],
  ])('for %s', (_case, text, fault) => {
    expect(() => read(text)).toThrow(new RouterConfigError([fault], [join(directory, 'router.yaml')]));
  });

  it('for a file that does not exist', () => {
    expect(() => readConfig({ ROUTER_CONFIG_PATH: '/nowhere/router.yaml' })).toThrow(
      '/nowhere/router.yaml: the file is not there or not readable',
    );
  });

  it('for a bad environment', () => {
    expect(() => readConfig({ PORT: 'eighty' })).toThrow(EnvironmentError);
  });
});

function read(text: string, env: Readonly<Record<string, string>> = {}): GatewayConfig {
  return readConfig({ ROUTER_CONFIG_PATH: file('router.yaml', text), ...env });
}

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}
