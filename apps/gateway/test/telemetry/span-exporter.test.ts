import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DropReason, Span, SpanExporter, SpanExporterOptions } from '@meridian/telemetry';
import { createSpanExporter } from '@meridian/telemetry';
import type { OtlpCollector } from '@meridian/testing';
import { startOtlpCollector } from '@meridian/testing';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

let collector: OtlpCollector;
let exporter: SpanExporter;
let dropped: [count: number, why: DropReason][];
let failures: string[];

beforeEach(async () => {
  collector = await startOtlpCollector();
  dropped = [];
  failures = [];
});
afterEach(async () => {
  await exporter.close(0);
  await collector.close();
});

async function start(options: Partial<SpanExporterOptions> = {}): Promise<void> {
  exporter = await createSpanExporter({
    url: `${collector.url}/v1/traces`,
    headers: {},
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

describe('createSpanExporter', () => {
  it('sends a span over OTLP with its times to the microsecond', async () => {
    await start({ headers: { 'x-key': 'secret' } });
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
    expect(collector.headers).toMatchObject([
      { 'x-key': 'secret', 'content-type': 'application/x-protobuf' },
    ]);
  });

  it('sends strings of any length in any script, and numbers of any size', async () => {
    await start();
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
    await start();
    exporter.export(spans(3));
    exporter.export(spans(6));
    await exporter.close(5000);
    expect([collector.spans.length, collector.headers.length, dropped]).toEqual([9, 3, []]);
  });

  it('drops the spans that arrive while too many are waiting, and logs that', async () => {
    await start({ maxBatchSize: 100 });
    exporter.export(spans(8));
    exporter.export(spans(5));
    expect(dropped).toEqual([[3, 'channel full']]);
    await exporter.close(5000);
    expect(collector.spans).toHaveLength(10);
  });

  it('recovers when the collector is back, and logs once that it was gone', async () => {
    await start({ maxBatchSize: 1 });
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
    await start({ maxBatchSize: 2 });
    collector.respondWith('silent');
    exporter.export(spans(3));
    await exporter.close(50);
    expect(dropped).toEqual([[1, 'export failed']]);
  });
});
