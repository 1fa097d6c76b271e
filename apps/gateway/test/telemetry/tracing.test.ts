import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CollectedSpan, OtlpCollector } from '@meridian/testing';
import { eventually, startOtlpCollector } from '@meridian/testing';

import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const reviewed = { query: 'query Reviewed { topProducts(first: 2) { name reviews { body } } }' };
const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

let collector: OtlpCollector;
const gateway = useTestGateway();

beforeEach(async () => {
  collector = await startOtlpCollector();
});
afterEach(async () => {
  await gateway.close();
  await collector.close();
});

interface Settings {
  readonly common?: object;
  readonly propagation?: object;
  readonly spans?: object;
  readonly more?: object;
}

async function start({ common = {}, propagation = {}, spans = {}, more = {} }: Settings = {}) {
  const batch_processor = { scheduled_delay: '5ms', max_export_timeout: '10s' };
  const otlp = { enabled: true, endpoint: collector.url, protocol: 'http', batch_processor };
  await gateway.start({
    // YAML takes JSON.
    config: JSON.stringify({
      telemetry: {
        exporters: { tracing: { common, otlp, propagation } },
        instrumentation: { spans },
      },
      ...more,
    }),
  });
}

/** The spans of a trace, once its root is there. */
async function spansOf(traceId: string | null): Promise<readonly CollectedSpan[]> {
  const collected = (): readonly CollectedSpan[] =>
    collector.spans.filter((span) => span.traceId === traceId);
  await eventually(() => expect(collected()).not.toEqual([]));
  return collected();
}

/** The tree of a trace by names. */
function treeOf(spans: readonly CollectedSpan[], parentId = ''): object {
  return Object.fromEntries(
    spans
      .filter(({ parentSpanId }) => parentSpanId === parentId)
      .map((span, index, all) => {
        const isOneOfSeveral = all.filter(({ name }) => name === span.name).length > 1;
        return [isOneOfSeveral ? `${span.name} ${index}` : span.name, treeOf(spans, span.spanId)];
      }),
  );
}

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found).toHaveLength(1);
  return found[0] as CollectedSpan;
}

function failedOf(spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  return spans.filter(({ statusCode }) => statusCode === 2);
}

describe('telemetry.instrumentation.spans.mode: spec_compliant', () => {
  it('records one span for each subgraph fetch, in a tree with the names of Apollo Router', async () => {
    await start();
    const { headers } = await gateway.post(reviewed);
    const spans = await spansOf(headers.get('apollo-trace-id'));
    expect(treeOf(spans)).toEqual({
      router: {
        supergraph: {
          parse_query: {},
          query_planning: {},
          execution: { 'subgraph 0': {}, 'subgraph 1': {} },
        },
      },
    });
    const fetched = spans.filter(({ name }) => name === 'subgraph');
    expect(fetched.map(({ kind, attributes }) => [kind, attributes['subgraph.name']])).toEqual([
      [3, 'products'],
      [3, 'reviews'],
    ]);
    expect(gateway.products.received.length + gateway.reviews.received.length).toBe(fetched.length);
  });

  it('records the operation, the caller and the outcome', async () => {
    const resource = { 'deployment.environment.name': 'test', shard: 7, canary: true, zones: ['a', 'b'] };
    await start({ common: { service_name: 'edge', resource } });
    const { headers } = await gateway.post(reviewed, {
      'apollographql-client-name': 'web',
      'apollographql-client-version': '1.2',
    });
    const root = named(await spansOf(headers.get('apollo-trace-id')), 'router');
    expect(root).toMatchObject({
      kind: 2,
      statusCode: 0,
      resource: { 'service.name': 'edge', ...resource },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/graphql',
        'http.response.status_code': 200,
        'graphql.operation.name': 'Reviewed',
        'graphql.operation.type': 'query',
        'client.name': 'web',
        'client.version': '1.2',
        'meridian.request_id': headers.get('request-id'),
        'meridian.outcome': 'success',
      },
    });
  });

  it("names the server of a fetch, without the URL's credentials and query", async () => {
    await start();
    gateway.products.reset();
    const { port } = new URL(gateway.products.url);
    await gateway.close();
    const url = gateway.products.url.replace('http://', 'http://user:hunter2@');
    await start({ more: { override_subgraph_url: { products: `${url}?key=hunter3` } } });
    const { headers } = await gateway.post({ query: 'query Time { time }' });
    const spans = await spansOf(headers.get('apollo-trace-id'));
    expect(named(spans, 'subgraph').attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'url.full': expect.stringMatching(`^http://127\\.0\\.0\\.1:${port}/`),
    });
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('hunter');
  });

  it('has every span within the time of its parent', async () => {
    await start();
    const { headers } = await gateway.post(reviewed);
    const spans = await spansOf(headers.get('apollo-trace-id'));
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    for (const { startNanos, endNanos, parentSpanId } of spans) {
      const around = byId.get(parentSpanId);
      expect(startNanos).toBeLessThanOrEqual(endNanos);
      expect(startNanos).toBeGreaterThanOrEqual(around?.startNanos ?? 0n);
      expect(endNanos).toBeLessThanOrEqual(around?.endNanos ?? endNanos);
    }
  });

  it('marks the failed fetch with its code', async () => {
    await start();
    gateway.reviews.misbehave((response) => void response.destroy());
    const { headers } = await gateway.post(reviewed);
    const spans = await spansOf(headers.get('apollo-trace-id'));
    expect(named(failedOf(spans), 'subgraph')).toMatchObject({
      statusMessage: 'SUBREQUEST_HTTP_ERROR',
      attributes: { 'subgraph.name': 'reviews', 'error.type': 'SUBREQUEST_HTTP_ERROR' },
    });
  });

  it('marks the request, its operation and the execution when an operation fails with status 200', async () => {
    await start();
    gateway.products.misbehave((response) =>
      respondJson(response, { data: null, errors: [{ message: 'x', extensions: { code: 'NOT_FOUND' } }] }),
    );
    const { status, headers } = await gateway.post({ query: 'query Time { time }' });
    expect(status).toBe(200);
    const spans = await spansOf(headers.get('apollo-trace-id'));
    const failed = failedOf(spans).map(({ name, statusMessage }) => [name, statusMessage]);
    expect(new Map(failed as [string, string][])).toEqual(
      new Map([
        ['execution', 'NOT_FOUND'],
        ['router', 'NOT_FOUND'],
        ['supergraph', 'NOT_FOUND'],
      ]),
    );
    expect(named(spans, 'router').attributes).toMatchObject({
      'meridian.outcome': 'partial',
      'meridian.error_codes': 'NOT_FOUND',
      'error.type': 'NOT_FOUND',
    });
  });

  it.each([
    ['partial data', 'partial', 'query Partial { time topProducts(first: 1) { reviews { body } } }', true],
    ['a rejected request', 'refused', 'query Broken {', false],
  ])('records the outcome of %s', async (_what, outcome, query, isFailure) => {
    await start();
    gateway.reviews.misbehave((response) => void response.destroy());
    const { headers } = await gateway.post({ query });
    const spans = await spansOf(headers.get('apollo-trace-id'));
    const root = named(spans, 'router');
    expect(root.attributes['meridian.outcome']).toBe(outcome);
    expect(root.statusCode === 2).toBe(isFailure);
  });

  it('records a request error up to the stage that it reached', async () => {
    await start();
    const { headers } = await gateway.post({ query: 'query Broken {' });
    const spans = await spansOf(headers.get('apollo-trace-id'));
    expect(treeOf(spans)).toEqual({ router: { supergraph: { parse_query: {} } } });
    expect(named(spans, 'router').attributes).toMatchObject({ 'error.type': 'PARSING_ERROR' });
  });

  it('traces the requests of stock @apollo/gateway as well', async () => {
    await start({ more: { meridian: { executor: 'apollo' } } });
    const { headers } = await gateway.post(reviewed);
    const spans = await spansOf(headers.get('apollo-trace-id'));
    expect(spans.filter(({ name }) => name === 'subgraph')).toHaveLength(2);
  });
});

describe('telemetry.instrumentation.spans.mode: deprecated', () => {
  it('has the root and fetch spans that Apollo Router had before 2.0', async () => {
    await start({ spans: { mode: 'deprecated' } });
    const { headers } = await gateway.post({ query: 'query A { time }' });
    const spans = await spansOf(headers.get('apollo-trace-id'));
    expect(treeOf(spans)).toEqual({
      request: {
        router: {
          supergraph: {
            parse_query: {},
            query_planning: {},
            execution: { fetch: { subgraph: { subgraph_request: {} } } },
          },
        },
      },
    });
    expect(named(spans, 'request').attributes).toMatchObject({ 'http.method': 'POST', 'http.status': 200 });
  });
});

describe("A client's trace", () => {
  const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

  it('is continued with propagation.trace_context, and by the subgraphs in their turn', async () => {
    await start({ propagation: { trace_context: true } });
    await gateway.post(reviewed, { traceparent });
    const spans = await spansOf(parent.traceId);
    expect(named(spans, 'router').parentSpanId).toBe(parent.spanId);
    const ofProducts = spans.find(({ attributes }) => attributes['subgraph.name'] === 'products');
    expect(gateway.products.received[0]?.headers['traceparent']).toBe(
      `00-${parent.traceId}-${ofProducts?.spanId}-01`,
    );
  });

  it('is not continued without it, and nothing is propagated', async () => {
    await start();
    const { headers } = await gateway.post(reviewed, { traceparent });
    expect(headers.get('apollo-trace-id')).not.toBe(parent.traceId);
    await spansOf(headers.get('apollo-trace-id'));
    expect(gateway.products.received[0]?.headers['traceparent']).toBeUndefined();
  });

  it('is not recorded when the client does not record it, unless parent_based_sampler is off', async () => {
    const unsampled = { traceparent: `00-${parent.traceId}-${parent.spanId}-00` };
    await start({ propagation: { trace_context: true } });
    await gateway.post(reviewed, unsampled);
    const { headers } = await gateway.post(reviewed);
    await spansOf(headers.get('apollo-trace-id'));
    expect(collector.spans.filter(({ traceId }) => traceId === parent.traceId)).toEqual([]);
    await gateway.close();
    await start({ propagation: { trace_context: true }, common: { parent_based_sampler: false } });
    await gateway.post(reviewed, unsampled);
    await spansOf(parent.traceId);
  });
});

describe('The sampler', () => {
  it('records no trace with always_off, and responses carry a trace id all the same', async () => {
    await start({ common: { sampler: 'always_off' } });
    const { headers } = await gateway.post(reviewed);
    expect(headers.get('apollo-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    await gateway.close();
    expect(collector.headers).toEqual([]);
  });
});

describe('A trace collector', () => {
  it('that is down fails no request, and its lost spans are counted and logged once', async () => {
    await start();
    collector.respondWith(400);
    for (let index = 0; index < 3; index += 1) {
      expect((await gateway.post(reviewed)).body.errors).toBeUndefined();
    }
    const line = { msg: 'spans cannot be exported', level: 'warn' };
    await gateway.logged(line);
    await eventually(async () =>
      expect(await gateway.metrics()).toContain(
        'apollo_router_telemetry_batch_processor_errors_total{name="otlp-tracing",error="export failed"',
      ),
    );
    expect(gateway.log.filter(({ msg }) => msg === line.msg)).toHaveLength(1);
  });

  it("receives only the number of a subgraph's errors", async () => {
    await start();
    gateway.products.misbehave((response) =>
      respondJson(response, { data: { time: null }, errors: [{ message: 'hunter2', path: ['time'] }] }),
    );
    const { headers } = await gateway.post({ query: 'query A { time }' });
    const spans = await spansOf(headers.get('apollo-trace-id'));
    expect(named(spans, 'subgraph').attributes).toMatchObject({ 'meridian.subgraph_errors': 1 });
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('hunter2');
  });
});
