import { once } from 'node:events';

import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { ReceivedRequest } from '../../support/stub-subgraph.ts';
import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const query = 'query A { topProducts(first: 1) { name rating } }';

const gateway = useTestGateway();

describe('Requests to subgraphs', () => {
  beforeAll(() =>
    gateway.start({
      config: `
        headers:
          all:
            request:
              operations:
                - insert: { name: x-gateway, value: meridian }
                - propagate: { matching: "^x-shop-" }
          subgraphs:
            products:
              request:
                operations:
                  - propagate: { named: authorization }
                  - propagate: { named: x-language, rename: accept-language, default: en }
                  - remove: { named: x-shop-secret }
      `,
    }),
  );
  afterEach(() => {
    gateway.products.reset();
    gateway.reviews.reset();
  });
  const headersOf = ([received]: readonly ReceivedRequest[]): unknown => received?.headers;

  it('carry Authorization only to the subgraphs that `headers` names', async () => {
    await gateway.post({ query }, { authorization: 'Bearer abc' });
    expect(headersOf(gateway.products.received)).toMatchObject({ authorization: 'Bearer abc' });
    expect(headersOf(gateway.reviews.received)).not.toHaveProperty('authorization');
  });

  it('carry what the header rules say, in their order, and nothing else of the client', async () => {
    await gateway.post({ query }, { 'x-shop-id': '7', 'x-shop-secret': 's', cookie: 'c=1', 'x-other': 'o' });
    expect(headersOf(gateway.products.received)).toMatchObject({
      'x-gateway': 'meridian',
      'x-shop-id': '7',
      'accept-language': 'en',
      host: new URL(gateway.products.url).host,
    });
    for (const name of ['x-shop-secret', 'cookie', 'x-other']) {
      expect(headersOf(gateway.products.received)).not.toHaveProperty(name);
    }
    expect(headersOf(gateway.reviews.received)).toMatchObject({ 'x-shop-secret': 's' });
  });

  it('carry no trace of the client unless propagation.trace_context is on', async () => {
    await gateway.post({ query }, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    expect(headersOf(gateway.products.received)).not.toHaveProperty('traceparent');
  });

  it('are aborted when the client goes away', async () => {
    const aborted = new Promise<void>((resolve) => {
      gateway.products.misbehave(async (response) => {
        abort.abort();
        await once(response, 'close');
        resolve();
      });
    });
    const abort = new AbortController();
    await expect(gateway.send({ query }, {}, abort.signal)).rejects.toThrow('aborted');
    await aborted;
    expect(gateway.reviews.received).toEqual([]);
  });

  it('are aborted with 504 GATEWAY_TIMEOUT when traffic_shaping.router.timeout is over', async () => {
    await using impatient = await startTestGateway({
      config: 'traffic_shaping: { router: { timeout: 300ms } }',
    });
    impatient.products.misbehave(() => undefined);
    expect(await impatient.post({ query })).toMatchObject({ status: 504, code: 'GATEWAY_TIMEOUT' });
  });
});

describe('With propagation.trace_context, the gateway', () => {
  it("continues the client's trace, and propagates it to the subgraphs", async () => {
    await using traced = await startTestGateway({
      config: 'telemetry: { exporters: { tracing: { propagation: { trace_context: true } } } }',
    });
    const traceId = 'a'.repeat(32);
    const { headers } = await traced.post({ query }, { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` });
    expect(headers.get('apollo-trace-id')).toBe(traceId);
    expect(traced.products.received[0]?.headers['traceparent']).toMatch(
      new RegExp(`^00-${traceId}-(?!b{16})`),
    );
  });
});

describe('override_subgraph_url', () => {
  it('overrides the URL in the supergraph', async () => {
    await using first = await startTestGateway();
    await using second = await startTestGateway({
      config: `override_subgraph_url: { products: "${first.products.url}" }`,
    });
    await second.post({ query });
    expect([first.products.received.length, second.products.received.length]).toEqual([1, 0]);
  });
});
