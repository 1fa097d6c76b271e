import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { read } from '../read.fixture.ts';

const shipped = textAt('../../../../../router.yaml');
const development = textAt('../../../../../router.development.yaml');
const env = { JWKS_URL: 'https://issuer.example/jwks.json', JWT_ISSUER: 'https://issuer.example' };

describe('router.yaml', () => {
  it("has every value of the specification's Limits table for the router", () => {
    expect(read(shipped, { env }).config).toMatchObject({
      supergraph: { listen: { host: '0.0.0.0', port: 4000 } },
      traffic_shaping: {
        deduplicate_variables: true,
        all: { timeout: 5000 },
        subgraphs: new Map([['reviews', { timeout: 800 }]]),
        router: { global_rate_limit: { capacity: 2000, interval: 1000 } },
      },
      meridian: { throttle: { unit: 'cost' } },
      limits: { max_depth: 12, max_aliases: 30, max_root_fields: 20, parser_max_tokens: 15_000 },
      persisted_queries: { enabled: true, safelist: { enabled: true, require_id: true } },
      telemetry: { instrumentation: { spans: { mode: 'spec_compliant' } } },
    });
  });

  it('writes limits as the specification does', () => {
    expect(shipped).toMatch(/^limits:\n {2}max_depth: 12$/m);
  });

  it('requires authentication, and causes no note', () => {
    const { config, notes } = read(shipped, { env });
    expect({ required: config.authorization.require_authentication, notes }).toEqual({
      required: true,
      notes: [],
    });
  });

  it("lets no operation cost more than the rate limit's capacity", () => {
    const { demand_control: demand, traffic_shaping: traffic } = read(shipped, { env }).config;
    expect(demand.strategy?.static_estimated.max).toBeLessThanOrEqual(
      traffic.router.global_rate_limit?.capacity ?? 0,
    );
  });
});

describe('router.development.yaml', () => {
  it('turns introspection on, and makes the safelist only log', () => {
    expect(read(shipped, { env, overlay: development }).config).toMatchObject({
      supergraph: { introspection: true },
      persisted_queries: {
        enabled: true,
        log_unknown: true,
        safelist: { enabled: false, require_id: false },
      },
      authorization: { require_authentication: true },
    });
  });
});

function textAt(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
