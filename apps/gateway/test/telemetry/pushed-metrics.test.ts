import { afterEach, describe, expect, it } from '@jest/globals';
import type { CollectedMetric, OtlpCollector } from '@meridian/testing';
import { eventually, startGrpcCollector, startOtlpCollector } from '@meridian/testing';

import { startTestGateway } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const query = { query: 'query Time { time }' };
const duration = 'http.server.request.duration';

let collector: OtlpCollector;
const gateway = useTestGateway();

afterEach(async () => {
  await gateway.close();
  await collector.close();
});

interface Settings {
  readonly protocol?: 'http' | 'grpc';
  readonly common?: object;
  readonly otlp?: object;
  readonly instruments?: object;
}

async function start({
  protocol = 'grpc',
  common = {},
  otlp = {},
  instruments = {},
}: Settings = {}): Promise<void> {
  collector = await (protocol === 'http' ? startOtlpCollector() : startGrpcCollector());
  const sent = {
    enabled: true,
    endpoint: collector.url,
    protocol,
    batch_processor: { scheduled_delay: '20ms', max_export_timeout: '2s' },
    ...otlp,
  };
  await gateway.start({ config: configOf({ common, otlp: sent }, instruments) });
}

/** YAML takes JSON. */
function configOf(metrics: object, instruments: object): string {
  return JSON.stringify({ telemetry: { exporters: { metrics }, instrumentation: { instruments } } });
}

/** A metric of the newest message. */
function latest(name: string): CollectedMetric | undefined {
  return collector.metrics.at(-1)?.find((metric) => metric.name === name);
}

/** Its counts over all messages. */
function countsOf(name: string): readonly number[] {
  return collector.metrics.map(
    (metrics) =>
      metrics.find((metric) => metric.name === name)?.points.reduce((sum, { value }) => sum + value, 0) ?? 0,
  );
}

describe.each(['http', 'grpc'] as const)('telemetry.exporters.metrics.otlp with protocol %s', (protocol) => {
  it('sends the metrics under the names of OpenTelemetry, field by field as at /metrics', async () => {
    await start({
      protocol,
      common: { service_name: 'edge', service_namespace: 'shop', resource: { zone: 'a' } },
    });
    await gateway.post(query);
    await gateway.post(query);
    await eventually(() => expect(latest(duration)?.points[0]?.value).toBe(2));
    const metric = latest(duration);
    expect(metric).toMatchObject({
      unit: 's',
      kind: 'histogram',
      temporality: 2,
      resource: {
        'service.name': 'edge',
        'service.namespace': 'shop',
        zone: 'a',
        'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    const [point] = metric?.points ?? [];
    expect(point?.attributes).toEqual({
      'http.route': '/graphql',
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    const scraped = await gateway.metrics();
    const value = (suffix: string): number =>
      Number(
        new RegExp(`^http_server_request_duration_seconds_${suffix}\\{[^}]*POST[^}]*\\} (\\S+)$`, 'm').exec(
          scraped,
        )?.[1],
      );
    expect([point?.value, point?.sum]).toEqual([value('count'), value('sum')]);
    expect(point?.bucketCounts).toHaveLength((point?.bounds.length ?? 0) + 1);
    expect(point?.bucketCounts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(Number((point?.timeNanos ?? 0n) - (point?.startNanos ?? 0n))).toBeGreaterThan(0);
    expect(latest('process.cpu')).toMatchObject({ kind: 'sum', isMonotonic: true, unit: 's' });
    expect(latest('nodejs.heap.size.used')).toMatchObject({ kind: 'gauge', unit: 'By' });
  });

  it('sends the changes since the last export with temporality: delta', async () => {
    await start({ protocol, otlp: { temporality: 'delta' } });
    await gateway.post(query);
    await eventually(() => expect(countsOf(duration)).toContain(1));
    await gateway.post(query);
    await eventually(() => expect(countsOf(duration).filter((count) => count === 1)).toHaveLength(2));
    await eventually(() =>
      expect(latest(duration)).toMatchObject({ temporality: 1, points: [{ value: 0 }] }),
    );
    const [before, last] = collector.metrics
      .slice(-2)
      .map((metrics) => metrics.find(({ name }) => name === duration));
    expect(last?.points[0]?.startNanos).toBe(before?.points[0]?.timeNanos);
  });

  it('loses no change while the collector takes none, and logs that once', async () => {
    await start({ protocol, otlp: { temporality: 'delta' } });
    await eventually(() => expect(collector.metrics).not.toEqual([]));
    collector.respondWith(400);
    await gateway.post(query);
    await eventually(() => expect(collector.refused).toBeGreaterThan(2));
    collector.respondWith(200);
    await eventually(() => expect(countsOf(duration)).toContain(1));
    expect(gateway.log.filter(({ msg }) => msg === 'metrics cannot be exported')).toHaveLength(1);
    expect(await gateway.metrics()).toContain(
      'apollo_router_telemetry_batch_processor_errors_total{name="otlp-metrics",error="export failed"',
    );
  });

  it('sends the last metrics when the gateway closes', async () => {
    await start({ protocol, otlp: { batch_processor: { scheduled_delay: '1h' } } });
    await gateway.post(query);
    await gateway.close();
    expect(latest(duration)?.points[0]?.value).toBe(1);
  });
});

describe('A collector of metrics', () => {
  it('that does not respond holds up neither requests nor the end', async () => {
    await start();
    collector.respondWith('silent');
    expect((await gateway.post(query)).body.errors).toBeUndefined();
    await gateway.close();
  });
});

describe('telemetry.exporters.metrics.common', () => {
  const scrapeOf = async (common: object): Promise<string> => {
    await start({ common });
    await gateway.post(query);
    await gateway.post({ query: 'query Other { time }' });
    return gateway.metrics();
  };

  it('has buckets for all histograms of times, and for no other', async () => {
    const scraped = await scrapeOf({ buckets: [0.1, 7] });
    const boundsOf = (name: string): ReadonlySet<string | undefined> =>
      new Set(
        Array.from(scraped.matchAll(new RegExp(`^${name}_bucket\\{.*le="([^"]+)"`, 'gm')), ([, le]) => le),
      );
    expect(boundsOf('http_server_request_duration_seconds')).toEqual(new Set(['0.1', '7', '+Inf']));
    expect(boundsOf('http_client_request_duration_seconds')).toEqual(new Set(['0.1', '7', '+Inf']));
    expect(boundsOf('cost_estimated')).toEqual(new Set(['0', '10', '100', '1000', '10000', '+Inf']));
    await eventually(() => expect(latest(duration)?.points[0]?.bounds).toEqual([0.1, 7]));
  });

  it('has views, which rename, hide and limit metrics at /metrics and by OTLP', async () => {
    const scraped = await scrapeOf({
      views: [
        { name: duration, rename: 'edge.time', description: 'Mine.', allowed_attribute_keys: ['http.route'] },
        { name: 'meridian_operation_duration_seconds', cardinality_limit: 1 },
        { name: 'http.client.request.duration', aggregation: { histogram: { buckets: [3] } } },
        { name: 'http.server.active_requests', aggregation: 'drop' },
      ],
    });
    expect(scraped).toMatch(/^# HELP edge_time_seconds Mine\.$/m);
    expect(scraped).toMatch(/^edge_time_seconds_count\{http_route="\/graphql",service="gateway"\} 2$/m);
    expect(scraped).not.toMatch(/http_server_request_duration|http_server_active_requests/);
    const names =
      /^meridian_operation_duration_seconds_count\{(?:graphql_operation_name="(Time)"|otel_metric_overflow="(true)").* 1$/gm;
    expect(Array.from(scraped.matchAll(names), ([, name, overflow]) => name ?? overflow)).toEqual([
      'Time',
      'true',
    ]);
    expect(scraped).toMatch(/^http_client_request_duration_seconds_bucket\{[^}]*le="3"/m);
    await eventually(() =>
      expect(latest('edge.time')?.points).toMatchObject([
        { value: 2, attributes: { 'http.route': '/graphql' } },
      ]),
    );
    expect(latest('http.server.active_requests')).toBeUndefined();
  });

  it.each([
    'http.server.*',
    '*',
    'http?server_*_seconds',
    '*request*duration',
    'http.server.request.duratio?',
  ])('has views of all metrics whose names fit %s', async (name) => {
    const scraped = await scrapeOf({ views: [{ name, aggregation: 'drop' }] });
    expect(scraped).not.toMatch(/^http_server_request_duration_seconds/m);
  });

  it.each([
    'http.server',
    '*.server',
    'http.server.?',
    '*duration*duration*',
    'http.server.request.duration?',
  ])('has no view of a metric whose name does not fit %s', async (name) => {
    const scraped = await scrapeOf({ views: [{ name, aggregation: 'drop' }] });
    expect(scraped).toMatch(/^http_server_request_duration_seconds/m);
  });

  it('has a limit of the series of every metric', async () => {
    const scraped = await scrapeOf({ cardinality_limit: 1 });
    expect(scraped.match(/^meridian_operation_duration_seconds_count/gm)).toHaveLength(2);
    expect(scraped).toContain('otel_metric_overflow="true"');
  });
});

/** The metric of a file that counts requests. */
const custom = { value: 'unit', type: 'counter', unit: '1', description: 'd' };

describe('A metric of the file’s own', () => {
  it('has its name, its unit and the names of its attributes by OTLP, dots and underscores as written', async () => {
    await start({
      instruments: {
        router: {
          'acme.shop_requests': {
            ...custom,
            unit: '{request}',
            attributes: { shop_name: { static: 'rome' }, 'shop.city': { static: 'rome' } },
          },
          acme_time: { value: 'duration', type: 'histogram', unit: 'ms', description: 'd' },
          'http.server.request.duration': { attributes: { my_label: { static: 'a' } } },
        },
      },
      common: { views: [{ name: 'acme_time', rename: 'edge.wait_time' }] },
    });
    await gateway.post(query);
    await eventually(() =>
      expect(latest('acme.shop_requests')).toMatchObject({
        unit: '{request}',
        points: [{ value: 1, attributes: { shop_name: 'rome', 'shop.city': 'rome' } }],
      }),
    );
    expect(latest('edge.wait_time')).toMatchObject({ unit: 'ms', points: [{ value: 1 }] });
    expect(latest(duration)?.points[0]?.attributes).toMatchObject({
      my_label: 'a',
      'http.route': '/graphql',
    });
    const scraped = await gateway.metrics();
    expect(scraped).toMatch(
      /^acme_shop_requests_total\{shop_name="rome",shop_city="rome",service="gateway"\} 1$/m,
    );
    expect(scraped).toMatch(/^edge_wait_time_milliseconds_count\{service="gateway"\} 1$/m);
  });

  it('may take the place of one that a view renames', async () => {
    await start({
      common: { views: [{ name: duration, rename: 'edge.time' }] },
      instruments: { router: { [duration]: { attributes: { mine: { static: 'a' } } } } },
    });
    await gateway.post(query);
    expect(await gateway.metrics()).toMatch(/^edge_time_seconds_count\{.*mine="a".*\} 1$/m);
  });

  it.each([
    ['renamed to one of the gateway', [['acme.a', 'cost.estimated']], ['acme.a']],
    ['of a renamed one of the gateway', [[duration, 'acme.time']], ['acme.time']],
    ['of another renamed one', [['acme.*', 'acme.c']], ['acme.a', 'acme.b']],
    ['renamed to the name of another', [['acme.b', 'acme.a']], ['acme.a', 'acme.b']],
    ['renamed to the name of a later one', [['acme.a', 'acme.b']], ['acme.a', 'acme.b']],
  ])('stops the start with a name %s', async (_case, renames, names) => {
    const config = configOf(
      { common: { views: renames.map(([name, rename]) => ({ name, rename })) } },
      {
        router: Object.fromEntries(
          names.map((name) => [
            name,
            { ...custom, type: 'histogram', unit: name === 'acme.time' ? 's' : '1' },
          ]),
        ),
      },
    );
    await expect(startTestGateway({ config })).rejects.toMatchObject({
      name: 'RouterConfigError',
      message: expect.stringMatching(/another metric has the name|is in use; choose another/),
    });
  });

  it.each([
    ['http.client.request.duration', duration],
    [duration, 'http.client.request.duration'],
  ])('stops the start where a view renames %s to %s, whichever comes first', async (name, rename) => {
    const config = configOf({ common: { views: [{ name, rename }] } }, {});
    await expect(startTestGateway({ config })).rejects.toThrow(`${name} cannot be renamed to ${rename}`);
  });

  it('stops the start where one view renames several metrics of the gateway', async () => {
    const config = configOf({ common: { views: [{ name: 'cost.*', rename: 'price' }] } }, {});
    await expect(startTestGateway({ config })).rejects.toThrow(
      'telemetry.exporters.metrics.common.views: cost.* cannot be renamed to price: another metric has the name price',
    );
  });
});
