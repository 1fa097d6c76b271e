import { expect, it } from '@jest/globals';
import { createSpanExporter } from '@meridian/telemetry';
import { eventually, listenOnLoopback } from '@meridian/testing';

it('sends to a Zipkin collector again after responses that broke off', async () => {
  let received = 0;
  let dropped = 0;
  let isBroken = true;
  const server = await listenOnLoopback((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      if (isBroken) {
        response.writeHead(202, { 'Content-Length': 10 });
        response.write('cut', () => response.destroy());
      } else {
        response.writeHead(202).end();
      }
    });
  });
  const exporter = await createSpanExporter({
    destination: { protocol: 'zipkin', url: `${server.url}/api/v2/spans` },
    maxAttributes: 8,
    resource: {},
    scheduledDelayMs: 1,
    maxQueueSize: 10,
    maxBatchSize: 1,
    exportTimeoutMs: 200,
    onDropped: (count) => void (dropped += count),
    onFailure: () => {},
  });
  const span = {
    name: 'router',
    kind: 'server',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    startMs: 1_700_000_000_000,
    endMs: 1_700_000_000_001,
    attributes: {},
  } as const;
  exporter.export(Array.from({ length: 6 }, () => span));
  await eventually(() => expect(dropped).toBe(6));
  isBroken = false;
  exporter.export([span]);
  await eventually(() => expect(received).toBe(7));
  await exporter.close(1000);
  expect(dropped).toBe(6);
  await server.close();
});
