import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { afterEach, expect, it } from '@jest/globals';
import type { Span, SpanExporter } from '@meridian/telemetry';
import { createSpanExporter } from '@meridian/telemetry';
import type { LoopbackServer } from '@meridian/testing';
import { eventually, listenOnLoopback } from '@meridian/testing';

const span = {
  name: 'router',
  kind: 'server',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentSpanId: '53995c3f42cd8ad8',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001.5,
  attributes: { route: '/graphql', status: 200, absent: undefined, further: true },
  error: 'SUBREQUEST_HTTP_ERROR',
} as const satisfies Span;

let server: LoopbackServer;
let exporter: SpanExporter;
let dropped = 0;
afterEach(async () => {
  await exporter.close(0);
  await server.close();
});

async function start(listener: RequestListener, credentials = ''): Promise<void> {
  dropped = 0;
  server = await listenOnLoopback(listener);
  exporter = await createSpanExporter({
    destination: { protocol: 'zipkin', url: `${server.url.replace('//', `//${credentials}`)}/api/v2/spans` },
    maxAttributes: 2,
    resource: { 'service.name': 'edge', zones: ['a', 'b'] },
    scheduledDelayMs: 1,
    maxQueueSize: 10,
    maxBatchSize: 1,
    exportTimeoutMs: 200,
    onDropped: (count) => void (dropped += count),
    onFailure: () => {},
  });
}

it('sends spans as JSON of Zipkin’s version 2', async () => {
  const received: unknown[] = [];
  const collect = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push(request.url, request.headers['content-type'], await json(request));
    response.writeHead(202).end();
  };
  await start((request, response) => void collect(request, response));
  exporter.export([span]);
  await exporter.close(5000);
  const { name, traceId, spanId: id, parentSpanId: parentId } = span;
  expect([received, dropped]).toEqual([
    [
      '/api/v2/spans',
      'application/json',
      [
        {
          name,
          traceId,
          id,
          parentId,
          kind: 'SERVER',
          timestamp: 1_700_000_000_000_250,
          duration: 1250,
          localEndpoint: { serviceName: 'edge' },
          tags: {
            route: '/graphql',
            status: '200',
            error: 'SUBREQUEST_HTTP_ERROR',
            'otel.status_code': 'ERROR',
            'otel.dropped_attributes_count': '1',
            'service.name': 'edge',
            zones: 'a,b',
          },
        },
      ],
    ],
    0,
  ]);
});

it('sends the credentials of the URL in a header field', async () => {
  const received: unknown[] = [];
  await start((request, response) => {
    received.push(request.headers.authorization);
    response.writeHead(202).end();
  }, 'us%40er:s3cret@');
  exporter.export([span]);
  await exporter.close(5000);
  expect([received, dropped]).toEqual([[`Basic ${btoa('us@er:s3cret')}`], 0]);
});

it.each<[string, RequestListener]>([
  ['stop midway', (_, response) => response.writeHead(202, { 'Content-Length': 10 }).write('cut')],
  ['do not come', () => {}],
])('ends a request to Zipkin whose responses %s at its timeout, and sends again', async (_case, listener) => {
  let received = 0;
  let open = 0;
  let isBroken = true;
  await start((request, response) => {
    received += 1;
    open += 1;
    response.on('close', () => (open -= 1));
    request.resume().on('end', () => {
      if (isBroken) {
        listener(request, response);
      } else {
        response.writeHead(202).end();
      }
    });
  });
  exporter.export([span, span, span]);
  await eventually(() => expect([dropped, open]).toEqual([3, 0]));
  isBroken = false;
  exporter.export([span]);
  await eventually(() => expect(received).toBe(4));
  await exporter.close(1000);
  expect(dropped).toBe(3);
});
