import { readFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { answerJson } from '../support/stub-subgraph.ts';
import type { TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

/** Has the products subgraph report an error with this code. */
async function reportError(code: string): Promise<void> {
  gateway.products.misbehave((response) =>
    answerJson(response, {
      data: { time: null },
      errors: [{ message: 'no', path: ['time'], extensions: { code } }],
    }),
  );
  await gateway.post({ query: 'query A { time }' });
}

describe('the metrics of the graph, as Apollo Router names them', () => {
  it('measure the requests that each subgraph got', async () => {
    await gateway.post({ query: 'query A { topProducts { reviews { body } } }' });
    const text = await gateway.metrics();
    for (const name of ['products', 'reviews']) {
      expect(text).toMatch(
        new RegExp(`^http_client_request_duration_seconds_count\\{.*subgraph_name="${name}".*\\} 1$`, 'm'),
      );
    }
  });

  it('count the operations that were found compiled and those that were not, and time their planning', async () => {
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
      received.resolve(() => answerJson(response, { data: { time: 'later' } })),
    );
    const answer = gateway.post({ query: 'query A { time }' });
    const finish = await received.promise;
    expect(await activeRequests()).toBe('1');
    finish();
    await answer;
    await eventually(async () => expect(await activeRequests()).toBe('0'));
  });

  it('count errors by their codes, also those of refusals', async () => {
    await reportError('NOT_FOUND');
    await gateway.post({ query: 'query A { nothing }' });
    const text = await gateway.metrics();
    expect(text).toContain('apollo_router_graphql_error_total{code="NOT_FOUND",service="gateway"} 1');
    expect(text).toContain(
      'apollo_router_graphql_error_total{code="GRAPHQL_VALIDATION_FAILED",service="gateway"} 1',
    );
  });

  it('take the codes that a subgraph makes up for one', async () => {
    await gateway.close();
    gateway = await startTestGateway({ env: { NODE_ENV: 'development' } });
    await reportError('ONE');
    await reportError('ANOTHER');
    expect(await gateway.metrics()).toContain(
      'apollo_router_graphql_error_total{code="(others)",service="gateway"} 2',
    );
  });
});

describe('the metrics of the executor', () => {
  it('count the answers that are not written as it reads fastest', async () => {
    await gateway.post({ query: 'query A { time }' });
    gateway.products.misbehave((response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"extensions":{},"data":{"time":"now"}}');
    });
    await gateway.post({ query: 'query A { time }' });
    expect(await gateway.metrics()).toContain(
      'meridian_otherwise_written_answers_total{subgraph_name="products",service="gateway"} 1',
    );
  });
});

describe('docs/observability.md', () => {
  it('names the metrics that there are, and no other', async () => {
    const observed = await startTestGateway({
      config:
        'telemetry: { exporters: { tracing: { otlp: { enabled: true, protocol: http, endpoint: "http://127.0.0.1:9" } } } }',
    });
    const exposed = Array.from(
      (await observed.metrics()).matchAll(/^# TYPE (\w+)/gm),
      ([, name = '']) => name,
    );
    const page = readFileSync(new URL('../../../../docs/observability.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const documented = rows.flatMap((row) =>
      Array.from((row.split('|')[1] ?? '').matchAll(/`(\w+)`/g), ([, name = '']) => name),
    );
    // Those of the process itself are Node's, by the names that Prometheus has for them.
    expect(documented.toSorted()).toEqual(
      exposed.filter((name) => !/^(process|nodejs)_/.test(name)).toSorted(),
    );
    await observed.close();
  });
});
