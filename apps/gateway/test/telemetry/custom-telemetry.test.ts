import { describe, expect, it } from '@jest/globals';
import type { CollectedSpan } from '@meridian/testing';
import { eventually, startOtlpCollector } from '@meridian/testing';

import { samplesOf } from '../support/samples.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { leave, startTestGateway } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const reviewed = { query: 'query Reviewed { topProducts(first: 2) { name reviews { body } } }' };
const time = { query: 'query Time { time }' };

const gateway = useTestGateway();

/** Starts a gateway with this instrumentation. */
async function start(instrumentation: object, more: object = {}, other: object = {}): Promise<void> {
  // YAML takes JSON.
  await gateway.start({ config: JSON.stringify({ telemetry: { instrumentation, ...more }, ...other }) });
}

/** Has the products subgraph report an error. */
function failProducts(code = 'OUT_OF_TIME'): void {
  gateway.products.misbehave((response) =>
    respondJson(response, {
      data: { time: null },
      errors: [{ message: 'no', path: ['time'], extensions: { code } }],
    }),
  );
}

/** The lines with this kind. */
function linesOf(kind: string): readonly Readonly<Record<string, unknown>>[] {
  return gateway.log.filter((line) => line['kind'] === kind);
}

describe('telemetry.instrumentation.spans', () => {
  /** Runs a gateway with these attributes of spans. */
  async function collecting<Result>(
    spans: object,
    run: (collected: readonly CollectedSpan[]) => Promise<Result>,
    other: object = {},
  ): Promise<Result> {
    const collector = await startOtlpCollector();
    const otlp = {
      enabled: true,
      endpoint: collector.url,
      protocol: 'http',
      batch_processor: { scheduled_delay: '5ms' },
    };
    try {
      await start({ spans }, { exporters: { tracing: { otlp } } }, other);
      return await run(collector.spans);
    } finally {
      await gateway.close();
      await collector.close();
    }
  }

  /** The spans of one request, by name. */
  async function spansOf(
    spans: object,
    body: object,
    headers: Readonly<Record<string, string>> = {},
    prepare: () => void = () => {},
  ): Promise<(name: string) => CollectedSpan> {
    return collecting(spans, async (collected) => {
      prepare();
      const response = await gateway.post(body, headers);
      const traceId = response.headers.get('apollo-trace-id');
      const found = (): readonly CollectedSpan[] => collected.filter((span) => span.traceId === traceId);
      await eventually(() => expect(found()).not.toEqual([]));
      return (name) => {
        const span = found().find((each) => each.name === name);
        if (span === undefined) {
          throw new Error(
            `no span ${name} among ${found()
              .map((each) => each.name)
              .join(', ')}`,
          );
        }
        return span;
      };
    });
  }

  it('adds values of the request and of its response to the spans of their stages', async () => {
    const span = await spansOf(
      {
        router: {
          attributes: {
            shop: { request_header: 'x-shop', default: 'none' },
            city: { request_header: 'x-city', default: 'none' },
            media: { response_header: 'content-type' },
            code: { response_status: 'code' },
            fixed: 'always',
            item: { baggage: 'basket' },
            'url.path': true,
            big: { static: true, condition: { gt: [{ request_header: 'content-length' }, 10] } },
            huge: { static: true, condition: { gt: [{ request_header: 'content-length' }, 10_000] } },
          },
        },
        supergraph: {
          attributes: {
            first: { query_variable: 'n' },
            depth: { query: 'depth' },
            product: { response_data: '$.topProducts[0].name' },
          },
        },
        subgraph: {
          attributes: {
            status: { subgraph_response_status: 'code' },
            received: { subgraph_response_header: 'content-type' },
            asked: { supergraph_operation_name: 'string' },
            'subgraph.graphql.document': true,
          },
        },
      },
      { query: 'query Named($n: Int) { topProducts(first: $n) { name } }', variables: { n: 2 } },
      { 'x-shop': 'berlin', baggage: 'basket=full,other=1' },
    );
    expect(span('router').attributes).toMatchObject({
      shop: 'berlin',
      city: 'none',
      media: expect.stringContaining('json'),
      code: 200,
      fixed: 'always',
      item: 'full',
      'url.path': '/graphql',
      big: true,
    });
    expect(span('router').attributes).not.toHaveProperty('huge');
    expect(span('supergraph').attributes).toMatchObject({ first: 2, depth: 2, product: expect.any(String) });
    expect(span('subgraph').attributes).toMatchObject({
      'subgraph.name': 'products',
      status: 200,
      received: expect.stringContaining('json'),
      asked: 'Named',
      'subgraph.graphql.document': expect.stringContaining('topProducts'),
    });
  });

  it.each(['measure', 'enforce'])(
    'has one result of the cost, by its name and by the selector: %s',
    async (mode) => {
      const spans = {
        supergraph: {
          attributes: { 'cost.estimated': true, 'cost.result': true, selected: { cost: 'result' } },
        },
      };
      const demand = { enabled: true, mode, strategy: { static_estimated: { list_size: 10, max: 1 } } };
      const results = await collecting(
        spans,
        async (collected) => {
          await gateway.post(time);
          await gateway.post(reviewed);
          const found = (): readonly CollectedSpan[] => collected.filter(({ name }) => name === 'supergraph');
          await eventually(() => expect(found()).toHaveLength(2));
          return found().map(({ attributes }) => [
            attributes['cost.estimated'],
            attributes['cost.result'],
            attributes['selected'],
          ]);
        },
        { demand_control: demand },
      );
      expect(results).toEqual(
        expect.arrayContaining([
          [expect.any(Number), 'COST_ESTIMATED_TOO_EXPENSIVE', 'COST_ESTIMATED_TOO_EXPENSIVE'],
          [0, 'COST_OK', 'COST_OK'],
        ]),
      );
    },
  );

  it('has the status 499 for a client that left', async () => {
    const spans = { router: { attributes: { code: { response_status: 'code' } } } };
    await collecting(spans, async (collected) => {
      await leave(gateway, time);
      const router = (): CollectedSpan | undefined => collected.find(({ name }) => name === 'router');
      await eventually(() => expect(router()?.attributes).toMatchObject({ code: 499 }));
    });
  });

  it('leaves out and renames known attributes', async () => {
    const span = await spansOf(
      {
        router: {
          attributes: { 'http.request.method': false, 'http.response.status_code': { alias: 'code' } },
        },
      },
      time,
    );
    const { attributes } = span('router');
    expect(attributes).toMatchObject({ code: 200, 'http.route': '/graphql' });
    expect(attributes).not.toHaveProperty(['http.request.method']);
    expect(attributes).not.toHaveProperty(['http.response.status_code']);
  });

  it('marks spans as failed, and names them, by the file’s own conditions', async () => {
    const span = await spansOf(
      {
        router: {
          attributes: {
            'otel.name': { static: 'graph' },
            'otel.status_code': { static: 'error', condition: { eq: [true, { on_graphql_error: true }] } },
            'otel.status_description': { response_errors: '$[0].extensions.code' },
          },
        },
        supergraph: {
          attributes: { 'otel.status_code': { static: 'ok' } },
        },
      },
      time,
      {},
      () => failProducts(),
    );
    expect(span('graph')).toMatchObject({ statusCode: 2 });
    expect(span('graph').attributes).not.toHaveProperty(['otel.status_code']);
    expect(span('supergraph')).toMatchObject({ statusCode: 0 });
  });

  it('has more attributes by the requirement level, or only named ones', async () => {
    const full = await spansOf({ default_attribute_requirement_level: 'recommended' }, time);
    expect(full('router').attributes).toMatchObject({ 'url.path': '/graphql', 'url.scheme': 'http' });
    expect(full('supergraph').attributes).toMatchObject({ 'graphql.document': time.query });
    const least = await spansOf({ default_attribute_requirement_level: 'none' }, time);
    expect(least('router').attributes).not.toHaveProperty(['http.route']);
    expect(least('subgraph').attributes).not.toHaveProperty(['subgraph.name']);
  });
});

describe('telemetry.instrumentation.instruments', () => {
  const counter = { value: 'unit', type: 'counter', unit: '1', description: 'd' };

  it('counts what a condition selects, by the file’s own labels', async () => {
    await start({
      instruments: {
        router: {
          'acme.requests': {
            ...counter,
            unit: 'request',
            description: 'Requests of shops.',
            condition: { exists: { request_header: 'x-shop' } },
            attributes: {
              shop: { request_header: 'x-shop' },
              'http.response.status_code': true,
              'http.request.method': { alias: 'verb' },
            },
          },
        },
      },
    });
    await gateway.post(time, { 'x-shop': 'berlin' });
    await gateway.post(time, { 'x-shop': 'berlin' });
    await gateway.post(time, { 'x-shop': 'rome' });
    await gateway.post(time);
    const text = await gateway.metrics();
    expect(text).toContain(
      '# HELP acme_requests_total Requests of shops.\n# TYPE acme_requests_total counter\n',
    );
    const labels = { http_response_status_code: '200', verb: 'POST' };
    expect(samplesOf(text, 'acme_requests_total')).toEqual([
      { labels: expect.objectContaining({ ...labels, shop: 'berlin' }), value: 2 },
      { labels: expect.objectContaining({ ...labels, shop: 'rome' }), value: 1 },
    ]);
  });

  it('measures durations in the unit of the file, and values of operations and fetches', async () => {
    await start({
      instruments: {
        router: { 'acme.time': { value: 'duration', type: 'histogram', unit: 'ms', description: '' } },
        supergraph: {
          'acme.depth': {
            value: { query: 'depth' },
            type: 'histogram',
            unit: 'field',
            description: 'd',
            attributes: { 'graphql.operation.name': true },
          },
        },
        subgraph: {
          'acme.fetches': {
            ...counter,
            value: 'event_unit',
            attributes: { 'subgraph.name': true, failed: { subgraph_on_graphql_error: true } },
          },
        },
      },
    });
    await gateway.post(reviewed);
    failProducts();
    await gateway.post(time);
    const text = await gateway.metrics();
    const sums = samplesOf(text, 'acme_depth_sum');
    expect(sums.map(({ labels, value }) => [labels['graphql_operation_name'], value])).toEqual([
      ['Reviewed', 3],
      ['Time', 1],
    ]);
    expect(samplesOf(text, 'acme_time_milliseconds_count')[0]?.value).toBe(2);
    expect(
      samplesOf(text, 'acme_fetches_total').map(({ labels, value }) => [
        labels['subgraph_name'],
        labels['failed'],
        value,
      ]),
    ).toEqual([
      ['products', 'false', 1],
      ['reviews', 'false', 1],
      ['products', 'true', 1],
    ]);
  });

  it('adds labels to known metrics, hides them, and adds those that the gateway has not by itself', async () => {
    await start({
      instruments: {
        router: {
          'http.server.request.duration': {
            attributes: { 'graphql.operation': { operation_name: 'string' }, 'http.route': false },
          },
          'http.server.active_requests': false,
          'http.server.response.body.size': true,
        },
        subgraph: {
          'http.client.request.duration': { attributes: { shop: { supergraph_request_header: 'x-shop' } } },
        },
      },
    });
    await gateway.post(time, { 'x-shop': 'rome' });
    const text = await gateway.metrics();
    const [server, ...others] = samplesOf(text, 'http_server_request_duration_seconds_count');
    expect(others).toEqual([]);
    expect(server).toEqual({
      labels: {
        service: 'gateway',
        http_request_method: 'POST',
        http_response_status_code: '200',
        graphql_operation: 'Time',
      },
      value: 1,
    });
    expect(text).not.toContain('http_server_active_requests');
    expect(samplesOf(text, 'http_server_response_body_size_bytes_sum')[0]?.value).toBeGreaterThan(10);
    expect(samplesOf(text, 'http_client_request_duration_seconds_count')[0]?.labels).toMatchObject({
      subgraph_name: 'products',
      http_response_status_code: '200',
      error_type: '',
      shop: 'rome',
    });
  });

  it('has at most 500 series of a metric, whatever clients send', async () => {
    await start({
      instruments: {
        router: { 'acme.shops': { ...counter, attributes: { shop: { request_header: 'x-shop' } } } },
      },
    });
    for (let shop = 0; shop < 510; shop += 1) {
      await gateway.post(time, { 'x-shop': `shop ${shop}` });
    }
    const samples = samplesOf(await gateway.metrics(), 'acme_shops_total');
    expect(samples).toHaveLength(501);
    expect(samples.at(-1)).toMatchObject({ labels: { shop: '(others)' }, value: 10 });
  });

  it('stops the start where a name is in use', async () => {
    const instruments = { router: { 'cost.estimated': { ...counter, type: 'histogram' } } };
    const config = JSON.stringify({ telemetry: { instrumentation: { instruments } } });
    await expect(startTestGateway({ config })).rejects.toThrow(
      'telemetry.instrumentation.instruments.router.cost.estimated: the name cost_estimated is in use',
    );
  });

  it('counts a rejected request by the code of its error', async () => {
    await start({
      instruments: {
        router: {
          'acme.rejected': {
            ...counter,
            condition: { exists: { error: 'reason' } },
            attributes: { code: { response_errors: '$[0].extensions.code' } },
          },
        },
      },
    });
    await gateway.post({ query: 'query A {' });
    expect(samplesOf(await gateway.metrics(), 'acme_rejected_total')).toEqual([
      { labels: { service: 'gateway', code: 'PARSING_ERROR' }, value: 1 },
    ]);
  });
});

describe('telemetry.instrumentation.events', () => {
  it('writes known events with members of their own, and no header fields, bodies or variables', async () => {
    await start({
      events: {
        router: { request: 'info', response: { level: 'warn' }, error: 'error' },
        supergraph: { request: 'info', response: 'info' },
        subgraph: { request: 'info', response: 'info', error: 'off' },
      },
    });
    const { headers } = await gateway.post(time, { 'x-secret': 'hunter2' });
    const requestId = headers.get('request-id');
    await eventually(() => expect(linesOf('router.response')).toHaveLength(1));
    expect(linesOf('router.request')).toEqual([
      expect.objectContaining({
        level: 'info',
        requestId,
        'http.request.method': 'POST',
        'url.path': '/graphql',
      }),
    ]);
    expect(linesOf('router.response')).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'router response', 'http.response.status_code': 200 }),
    ]);
    expect(linesOf('supergraph.request')).toEqual([
      expect.objectContaining({ 'graphql.operation.name': 'Time', 'graphql.operation.type': 'query' }),
    ]);
    expect(linesOf('subgraph.response')).toEqual([
      expect.objectContaining({ 'subgraph.name': 'products', 'http.response.status_code': 200, errors: 0 }),
    ]);
    expect(linesOf('router.error')).toEqual([]);
    expect(JSON.stringify(gateway.log)).not.toContain('hunter2');
  });

  it('writes the file’s own events where their condition holds', async () => {
    await start({
      events: {
        supergraph: {
          'shop.failed': {
            message: 'an operation failed',
            on: 'response',
            level: 'error',
            condition: { eq: [{ on_graphql_error: true }, true] },
            attributes: {
              'graphql.operation.name': true,
              code: { response_errors: '$[0].extensions.code' },
              shop: { request_header: 'x-shop', default: 'none' },
            },
          },
        },
        subgraph: {
          'shop.broken': {
            message: 'no response',
            on: 'error',
            level: 'warn',
            attributes: { 'subgraph.name': true, code: { error: 'reason' } },
          },
        },
      },
    });
    await gateway.post(time);
    failProducts();
    await gateway.post(time, { 'x-shop': 'rome' });
    gateway.products.misbehave((response) => void response.destroy());
    await gateway.post(time);
    await eventually(() => expect(linesOf('shop.failed')).toHaveLength(2));
    expect(linesOf('shop.failed')[0]).toMatchObject({
      level: 'error',
      msg: 'an operation failed',
      'graphql.operation.name': 'Time',
      code: 'INTERNAL_SERVER_ERROR',
      shop: 'rome',
    });
    expect(linesOf('shop.broken')).toEqual([
      expect.objectContaining({ 'subgraph.name': 'products', code: 'SUBREQUEST_HTTP_ERROR' }),
    ]);
  });
});
