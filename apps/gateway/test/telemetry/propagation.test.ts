import { afterEach, describe, expect, it } from '@jest/globals';

import { useTestGateway } from '../support/use-test-gateway.ts';

const traceId = '463ac35c9f6413ad48485a3953bb6124';
const spanId = '0020000000000001';
const query = { query: 'query Time { time }' };

const gateway = useTestGateway();
afterEach(() => gateway.close());

async function start(tracing: object): Promise<void> {
  await gateway.start({
    // YAML takes JSON.
    config: JSON.stringify({ telemetry: { exporters: { tracing } } }),
  });
}

/** The header fields that the subgraph got. */
function received(): Readonly<Record<string, unknown>> {
  return gateway.products.received[0]?.headers ?? {};
}

describe('telemetry.exporters.tracing.propagation', () => {
  const own = expect.stringMatching(/^(?!0020000000000001)[0-9a-f]{16}$/);
  it.each([
    [
      'zipkin',
      { 'x-b3-traceid': traceId, 'x-b3-spanid': spanId, 'x-b3-sampled': '1' },
      { 'x-b3-traceid': traceId, 'x-b3-spanid': own, 'x-b3-sampled': '1' },
    ],
    ['zipkin', { b3: `${traceId}-${spanId}-1` }, { 'x-b3-traceid': traceId, 'x-b3-sampled': '1' }],
    [
      'jaeger',
      { 'uber-trace-id': `${traceId}:${spanId}:0:1`, 'uberctx-tier': 'gold' },
      {
        'uber-trace-id': expect.stringMatching(`^${traceId}:(?!${spanId})[0-9a-f]{16}:0:01$`),
        'uberctx-tier': 'gold',
      },
    ],
    [
      'aws_xray',
      { 'x-amzn-trace-id': `Root=1-463ac35c-9f6413ad48485a3953bb6124;Parent=${spanId};Sampled=1` },
      {
        'x-amzn-trace-id': expect.stringMatching(
          `^Root=1-463ac35c-9f6413ad48485a3953bb6124;Parent=(?!${spanId})[0-9a-f]{16};Sampled=1$`,
        ),
      },
    ],
  ])('continues and sends the fields of %s: %j', async (format, sent, expected) => {
    await start({ propagation: { [format]: true } });
    const { headers } = await gateway.post(query, sent);
    expect(headers.get('apollo-trace-id')).toBe(traceId);
    expect(received()).toMatchObject(expected);
    expect(received()['traceparent']).toBeUndefined();
  });

  it('passes on baggage and tracestate', async () => {
    await start({ propagation: { baggage: true, trace_context: true } });
    const { headers } = await gateway.post(query, {
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: 'vendor=1',
      baggage: 'tenant=7,tier=gold',
    });
    expect(headers.get('apollo-trace-id')).toBe(traceId);
    expect(received()).toMatchObject({
      traceparent: expect.stringMatching(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-01$`),
      tracestate: 'vendor=1',
      baggage: 'tenant=7,tier=gold',
    });
  });

  it('does not send the parts of baggage that fit into no field of Jaeger', async () => {
    await start({ propagation: { baggage: true, jaeger: true } });
    const { body } = await gateway.post(query, { baggage: 'user%20name=x,a%0d%0ab=1,tier=gold,%C3%A9=2' });
    expect(body.errors).toBeUndefined();
    expect(received()).toMatchObject({ 'uberctx-tier': 'gold' });
    expect(Object.keys(received()).filter((name) => name.startsWith('uberctx'))).toEqual(['uberctx-tier']);
  });

  it('starts a trace where fields are malformed, and sends all of its formats', async () => {
    await start({ propagation: { zipkin: true, jaeger: true, trace_context: true, aws_xray: true } });
    const { headers } = await gateway.post(query, {
      traceparent: 'nonsense',
      b3: 'x-y-z',
      'uber-trace-id': '%',
      'x-amzn-trace-id': 'Root=1',
    });
    const own = headers.get('apollo-trace-id') ?? '';
    expect(own).toMatch(/^[0-9a-f]{32}$/);
    expect(received()).toMatchObject({
      'x-b3-traceid': own,
      'uber-trace-id': expect.stringContaining(own),
      traceparent: expect.stringContaining(own),
      'x-amzn-trace-id': expect.stringContaining(own.slice(8)),
    });
  });

  it.each([
    ['hexadecimal', traceId, traceId],
    ['uuid', '463ac35c-9f64-13ad-4848-5a3953bb6124', '463ac35c-9f64-13ad-4848-5a3953bb6124'],
    ['decimal', '93351075330931896558786731617803788580', '93351075330931896558786731617803788580'],
    ['datadog', '16', '16'],
  ])('takes the trace id from request.header_name as %s, and sends it so', async (format, sent, expected) => {
    await start({ propagation: { request: { header_name: 'X-My-Trace', format } } });
    const { headers } = await gateway.post(query, { 'x-my-trace': sent });
    expect(headers.get('apollo-trace-id')).toBe(format === 'datadog' ? '10'.padStart(32, '0') : traceId);
    expect(received()['x-my-trace']).toBe(expected);
  });

  it.each(['', 'none', '0', '0'.repeat(40)])('ignores the trace id "%s"', async (sent) => {
    await start({ propagation: { request: { header_name: 'x-my-trace' } } });
    const { headers } = await gateway.post(query, { 'x-my-trace': sent });
    expect(headers.get('apollo-trace-id')).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(received()['x-my-trace']).toBe(headers.get('apollo-trace-id'));
  });
});

describe('telemetry.exporters.tracing.experimental_response_trace_id', () => {
  it.each([
    ['experimental_response_trace_id', 'hexadecimal', (id: string) => id],
    ['experimental_response_trace_id', 'open_telemetry', (id: string) => id],
    ['response_trace_id', 'decimal', (id: string) => BigInt(`0x${id}`).toString()],
    ['response_trace_id', 'datadog', (id: string) => BigInt(`0x${id.slice(16)}`).toString()],
    [
      'response_trace_id',
      'uuid',
      (id: string) =>
        [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-'),
    ],
  ])('%s: sends it as %s, beside apollo-trace-id', async (key, format, written) => {
    await start({ [key]: { enabled: true, header_name: 'My-Trace-Id', format } });
    const { headers } = await gateway.post(query);
    expect(headers.get('my-trace-id')).toBe(written(headers.get('apollo-trace-id') ?? ''));
  });

  it('changes the format of apollo-trace-id itself', async () => {
    await start({ experimental_response_trace_id: { enabled: true, format: 'uuid' } });
    const { headers } = await gateway.post(query);
    expect(headers.get('apollo-trace-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it('sends nothing more where it is off', async () => {
    await start({ experimental_response_trace_id: { enabled: false, header_name: 'My-Trace-Id' } });
    const { headers } = await gateway.post(query);
    expect(headers.get('my-trace-id')).toBeNull();
  });
});
