import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics } from '@meridian/telemetry';
import { eventually } from '@meridian/testing';

import { watchWorkers } from '../../src/workers/run-workers.ts';
import type { Sample } from '../support/samples.ts';
import { samplesOf } from '../support/samples.ts';
import type { Misbehaviour } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { leave, startTestGateway } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const gateway = useTestGateway();

beforeEach(() => gateway.start());
/** Has the products subgraph report an error with this code. */
async function reportError(code: string): Promise<void> {
  gateway.products.misbehave((response) =>
    respondJson(response, {
      data: { time: null },
      errors: [{ message: 'no', path: ['time'], extensions: { code } }],
    }),
  );
  await gateway.post({ query: 'query A { time }' });
}

/** The number of requests to a subgraph, by status and error. */
async function requestsTo(subgraph: string): Promise<Readonly<Record<string, number>>> {
  const samples = await readSamples('http_client_request_duration_seconds_count');
  return Object.fromEntries(
    samples
      .filter(({ labels }) => labels['subgraph_name'] === subgraph)
      .map(({ labels, value }) => [`${labels['http_response_status_code']} ${labels['error_type']}`, value]),
  );
}

/** The number of errors, by code and subgraph. */
async function errorCounts(): Promise<Readonly<Record<string, number>>> {
  const samples = await readSamples('apollo_router_graphql_error_total');
  return Object.fromEntries(
    samples.map(({ labels, value }) => [`${labels['code']} ${labels['subgraph_name']}`, value]),
  );
}

async function readSamples(name: string): Promise<readonly Sample[]> {
  return samplesOf(await gateway.metrics(), name);
}

describe("The metrics of the graph, with Apollo Router's names,", () => {
  it('measure the requests that each subgraph receives', async () => {
    await gateway.post({ query: 'query A { topProducts { reviews { body } } }' });
    const text = await gateway.metrics();
    for (const name of ['products', 'reviews']) {
      expect(text).toMatch(
        new RegExp(`^http_client_request_duration_seconds_count\\{.*subgraph_name="${name}".*\\} 1$`, 'm'),
      );
    }
  });

  it('count how the requests to each subgraph ended', async () => {
    const respondWith = (status: number) => (response: ServerResponse) =>
      respondJson(response, { data: { time: 'now' } }, status);
    const misbehaviours: readonly Misbehaviour[] = [
      respondWith(200),
      respondWith(203),
      respondWith(503),
      respondWith(599),
      (response) => void response.destroy(),
      (response) => {
        response.writeHead(200, { 'Content-Encoding': 'unheard-of' });
        response.end('{}');
      },
    ];
    for (const misbehaviour of misbehaviours) {
      gateway.products.misbehave(misbehaviour);
      await gateway.post({ query: 'query A { time }' });
    }
    expect(await requestsTo('products')).toEqual({
      '200 ': 1,
      '203 ': 1,
      '503 503': 1,
      '(others) (others)': 1,
      ' SUBREQUEST_HTTP_ERROR': 1,
      ' SUBREQUEST_MALFORMED_RESPONSE': 1,
    });
  });

  it('distinguish a subgraph that hangs from a client that goes away', async () => {
    await gateway.close();
    await gateway.start({ config: 'traffic_shaping: { all: { timeout: 50ms } }' });
    gateway.products.misbehave(() => {});
    await gateway.post({ query: 'query A { time }' });
    expect(await requestsTo('products')).toEqual({ ' GATEWAY_TIMEOUT': 1 });

    await gateway.close();
    await gateway.start();
    await leave(gateway, { query: 'query A { time }' });
    await eventually(async () => expect(await requestsTo('products')).toEqual({ ' CANCELLED': 1 }));
  });

  it("count a subrequest that outlasts the request's timeout as a timeout", async () => {
    await gateway.close();
    await gateway.start({ config: 'traffic_shaping: { router: { timeout: 50ms } }' });
    gateway.products.misbehave(() => {});
    // On a busy machine the time can be over before anything was sent.
    await eventually(async () => {
      await gateway.post({ query: 'query A { time }' });
      expect(Object.keys(await requestsTo('products'))).toEqual([' GATEWAY_TIMEOUT']);
    });
  });

  it('count cache hits and misses of compiled operations, and time their planning', async () => {
    await gateway.post({ query: 'query A { time }' });
    await gateway.post({ query: 'query A { time }' });
    await gateway.post({ query: 'query B { time }' });
    const text = await gateway.metrics();
    const count = (name: string, labels: string): number =>
      Number(new RegExp(`^${name}_count\\{.*${labels}.*\\} (\\d+)$`, 'm').exec(text)?.[1]);
    const cache = 'kind="query planner",storage="memory"';
    expect({
      hits: count('apollo_router_cache_hit_time', cache),
      misses: count('apollo_router_cache_miss_time', cache),
      waited: count('apollo_router_query_planning_total_duration', 'outcome="success"'),
      planned: count('apollo_router_query_planning_plan_duration', 'outcome="success"'),
    }).toEqual({ hits: 1, misses: 2, waited: 2, planned: 2 });
    expect(text).toMatch(new RegExp(`^apollo_router_cache_size\\{.*${cache}.*\\} 2$`, 'm'));
  });

  it('count the requests that are under way', async () => {
    const activeRequests = async (): Promise<string | undefined> =>
      /^http_server_active_requests\{.*http_request_method="POST".*\} (\d+)$/m.exec(
        await gateway.metrics(),
      )?.[1];
    const received = Promise.withResolvers<() => void>();
    gateway.products.misbehave((response) =>
      received.resolve(() => respondJson(response, { data: { time: 'later' } })),
    );
    const httpResponse = gateway.post({ query: 'query A { time }' });
    const finish = await received.promise;
    expect(await activeRequests()).toBe('1');
    finish();
    await httpResponse;
    await eventually(async () => expect(await activeRequests()).toBe('0'));
  });

  it('count errors by code and subgraph, and request errors by code', async () => {
    await reportError('NOT_FOUND');
    gateway.reviews.misbehave((response) => void response.destroy());
    gateway.products.reset();
    await gateway.post({ query: 'query A { topProducts { reviews { body } } }' });
    await gateway.post({ query: 'query A { nothing }' });
    expect(await errorCounts()).toMatchObject({
      'NOT_FOUND products': 1,
      'SUBREQUEST_HTTP_ERROR reviews': expect.any(Number),
      'GRAPHQL_VALIDATION_FAILED ': 1,
    });
  });

  it('count unknown codes of a subgraph as one', async () => {
    await gateway.close();
    await gateway.start({ env: { NODE_ENV: 'development' } });
    await reportError('ONE');
    await reportError('ANOTHER');
    expect(await errorCounts()).toEqual({ '(others) products': 2 });
  });
});

describe('The metrics of the executor', () => {
  it('count the responses that bail out of the fast path', async () => {
    await gateway.post({ query: 'query A { time }' });
    gateway.products.misbehave((response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"extensions":{},"data":{"time":"now"}}');
    });
    await gateway.post({ query: 'query A { time }' });
    expect(await gateway.metrics()).toContain(
      'meridian_slow_path_responses_total{subgraph_name="products",service="gateway"} 1',
    );
  });
});

describe('docs/observability.md', () => {
  const page = readFileSync(new URL('../../../../docs/observability.md', import.meta.url), 'utf8');

  it('describes the metrics and labels of the alert rules', () => {
    const alerts = new URL('../../../../deploy/helm/meridian-gateway/alerts.yaml', import.meta.url);
    const [rules = ''] = readFileSync(alerts, 'utf8').split('- record:');
    const names = Array.from(rules.matchAll(/\b(?:meridian|http|apollo_router|db)_\w+/g), ([name]) =>
      name.replace(/_(?:count|bucket)$/, ''),
    );
    const labels = Array.from(rules.matchAll(/[{,(]\s*(\w+_\w+)\s*(?:!?=|[,)])/g), ([, label = '']) => label);
    expect(names.length).toBeGreaterThan(8);
    expect(labels).toContain('error_type');
    const missing = [...names, ...labels].filter((name) => !page.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it('names every metric, and no other', async () => {
    await using observed = await startTestGateway({
      config: `
telemetry: { exporters: { tracing: { otlp: { enabled: true, protocol: http, endpoint: "http://127.0.0.1:9" } } } }
subscription: { mode: { passthrough: { all: {} } } }
response_cache: { enabled: true }
`,
      env: { REDIS_URL: 'redis://127.0.0.1:1' },
    });
    const primary = createMetrics({ service: 'gateway' });
    watchWorkers(primary, 2, () => 2);
    const exposed = new Set(
      Array.from(
        `${await observed.metrics()}\n${await primary.registry.metrics()}`.matchAll(/^# TYPE (\w+)/gm),
        ([, name = '']) => name,
      ),
    );
    const section = page.slice(page.indexOf('### The gateway'), page.indexOf('### The services'));
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const documented = rows.flatMap((row) =>
      Array.from((row.split('|')[1] ?? '').matchAll(/`([a-z]+_\w+)`/g), ([, name = '']) => name),
    );
    // The process's own metrics are Node's, with the names of Prometheus.
    expect(documented.toSorted()).toEqual(
      [...exposed].filter((name) => !/^(process|nodejs)_/.test(name)).toSorted(),
    );
  });
});
