import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  DropReason,
  OtlpDestination,
  Span,
  SpanExporter,
  SpanExporterOptions,
} from '@meridian/telemetry';
import { createSpanExporter } from '@meridian/telemetry';
import type { OtlpCollector } from '@meridian/testing';
import {
  createSelfSignedCertificate,
  eventually,
  startGrpcCollector,
  startOtlpCollector,
} from '@meridian/testing';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

const noTls = { authorities: undefined, identity: undefined, serverName: undefined };

let collector: OtlpCollector;
let exporter: SpanExporter;
let dropped: [count: number, why: DropReason][];
let failures: string[];

beforeEach(() => {
  dropped = [];
  failures = [];
});
afterEach(async () => {
  await exporter.close(0);
  await collector.close();
});

async function start(
  destination: Partial<OtlpDestination>,
  options: Partial<SpanExporterOptions> = {},
): Promise<void> {
  exporter = await createSpanExporter({
    destination: { headers: {}, tls: noTls, ...destination } as OtlpDestination,
    maxAttributes: 128,
    resource: { 'service.name': 'gateway' },
    scheduledDelayMs: 60_000,
    maxQueueSize: 10,
    maxBatchSize: 4,
    exportTimeoutMs: 10_000,
    onDropped: (count, why) => void dropped.push([count, why]),
    onFailure: ({ message }) => void failures.push(message),
    ...options,
  });
}

function span(name: string, more: Partial<Span> = {}): Span {
  return {
    name,
    kind: 'internal',
    traceId,
    spanId: '00f067aa0ba902b7',
    startMs: 1_700_000_000_000.25,
    endMs: 1_700_000_000_001.5,
    attributes: {},
    ...more,
  };
}

function spans(count: number): readonly Span[] {
  return Array.from({ length: count }, (_item, index) => span(`span ${index}`));
}

describe.each(['http', 'grpc'] as const)('createSpanExporter with OTLP over %s', (protocol) => {
  let to: Partial<OtlpDestination>;
  beforeEach(async () => {
    collector = await (protocol === 'http' ? startOtlpCollector() : startGrpcCollector());
    to =
      protocol === 'http'
        ? { protocol, url: `${collector.url}/v1/traces` }
        : { protocol, url: collector.url };
  });

  it('sends a span over OTLP with its times to the microsecond', async () => {
    await start({ ...to, headers: { 'x-key': 'secret' } });
    exporter.export([
      span('subgraph', {
        kind: 'client',
        parentSpanId: '53995c3f42cd8ad8',
        attributes: { 'subgraph.name': 'reviews', entities: 3, ratio: 0.5, cached: false, absent: undefined },
        error: 'SUBREQUEST_HTTP_ERROR',
      }),
    ]);
    await exporter.close(5000);
    expect(collector.spans).toEqual([
      {
        name: 'subgraph',
        kind: 3,
        traceId,
        spanId: '00f067aa0ba902b7',
        parentSpanId: '53995c3f42cd8ad8',
        startNanos: 1_700_000_000_000_250_000n,
        endNanos: 1_700_000_000_001_500_000n,
        attributes: { 'subgraph.name': 'reviews', entities: 3, ratio: 0.5, cached: false },
        statusCode: 2,
        statusMessage: 'SUBREQUEST_HTTP_ERROR',
        resource: { 'service.name': 'gateway' },
      },
    ]);
    const own =
      protocol === 'http'
        ? { 'content-type': 'application/x-protobuf' }
        : {
            'user-agent': collector.headers[0]?.['user-agent']?.match(
              /^OTel-OTLP-Exporter-JavaScript.*/,
            )?.[0],
          };
    expect(collector.headers).toMatchObject([{ 'x-key': 'secret', ...own }]);
  });

  it('sends strings of any length in any script, and numbers of any size', async () => {
    await start(to);
    const attributes = {
      short: '',
      long: 'a'.repeat(127),
      longer: 'é'.repeat(20_000),
      scripts: 'naïve 日本 🙂',
      million: 1_000_000,
      largest: Number.MAX_SAFE_INTEGER,
      below: -1,
      beyond: 2 ** 60,
      none: 0,
    };
    exporter.export([span('日本', { attributes }), span('b'.repeat(70_000), { attributes })]);
    await exporter.close(5000);
    expect(collector.spans).toMatchObject([
      { name: '日本', attributes },
      { name: 'b'.repeat(70_000), attributes },
    ]);
  });

  it('sends the waiting spans when it is closed, in batches', async () => {
    await start(to);
    exporter.export(spans(3));
    exporter.export(spans(6));
    await exporter.close(5000);
    expect([collector.spans.length, collector.headers.length, dropped]).toEqual([9, 3, []]);
  });

  it('drops the spans that arrive while too many are waiting, and logs that', async () => {
    await start(to, { maxBatchSize: 100 });
    exporter.export(spans(8));
    exporter.export(spans(5));
    expect(dropped).toEqual([[3, 'channel full']]);
    await exporter.close(5000);
    expect(collector.spans).toHaveLength(10);
  });

  it('recovers when the collector is back, and logs once that it was gone', async () => {
    await start(to, { maxBatchSize: 1 });
    collector.respondWith(400);
    exporter.export(spans(2));
    await exporter.close(5000);
    expect([dropped, failures.length]).toEqual([
      [
        [1, 'export failed'],
        [1, 'export failed'],
      ],
      1,
    ]);
    collector.respondWith(200);
    exporter.export(spans(1));
    await exporter.close(5000);
    expect(collector.spans).toHaveLength(1);
  });

  it('gives up on a collector that does not respond within the timeout', async () => {
    await start(to, { maxBatchSize: 2 });
    collector.respondWith('silent');
    exporter.export(spans(3));
    await exporter.close(50);
    expect(dropped).toEqual([[1, 'export failed']]);
  });

  it('drops the attributes of a span that are too many', async () => {
    await start(to, { maxAttributes: 2 });
    exporter.export([span('a', { attributes: { one: 1, absent: undefined, two: 2, three: 3 } })]);
    await exporter.close(5000);
    expect(collector.spans).toMatchObject([{ attributes: { one: 1, two: 2 }, droppedAttributes: 1 }]);
  });

  it('sends a batch again that the collector cannot take for the moment', async () => {
    await start(to, { maxBatchSize: 1 });
    collector.respondWith(503);
    exporter.export(spans(1));
    await eventually(() => expect(collector.refused).toBe(1));
    collector.respondWith(200);
    await eventually(() => expect(collector.spans).toHaveLength(1));
    expect([dropped, failures]).toEqual([[], []]);
  });

  it('drops the spans for a collector that is away', async () => {
    await start(to, { exportTimeoutMs: 200 });
    await collector.close();
    exporter.export(spans(1));
    await exporter.close(5000);
    expect([dropped, failures.length]).toEqual([[[1, 'export failed']], 1]);
  });
});

describe('createSpanExporter with OTLP over gRPC and TLS', () => {
  const certificate = createSelfSignedCertificate();
  beforeEach(async () => {
    collector = await startGrpcCollector(certificate);
  });

  it('trusts the authority that it is given', async () => {
    await start({ protocol: 'grpc', url: collector.url, tls: { ...noTls, authorities: certificate.cert } });
    exporter.export(spans(1));
    await exporter.close(5000);
    expect([collector.spans.length, dropped]).toEqual([1, []]);
  });

  it.each([
    ['no other', noTls],
    [
      'no certificate for another name',
      { ...noTls, authorities: certificate.cert, serverName: 'other.example' },
    ],
  ])('trusts %s', async (_what, tls) => {
    await start({ protocol: 'grpc', url: collector.url, tls }, { exportTimeoutMs: 300 });
    exporter.export(spans(1));
    await exporter.close(5000);
    expect([collector.spans, dropped]).toEqual([[], [[1, 'export failed']]]);
  });
});
