import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OtlpCollector } from '@meridian/testing';
import { eventually, startOtlpCollector } from '@meridian/testing';

import { requestParts } from './read-parts.ts';
import type { StreamingShop } from './streaming-shop.ts';
import { pricesQuery, pricesVariables, startStreamingShop } from './streaming-shop.ts';

let collector: OtlpCollector;
let shop: StreamingShop;
beforeAll(async () => {
  collector = await startOtlpCollector();
  const otlp = {
    enabled: true,
    endpoint: collector.url,
    protocol: 'http',
    batch_processor: { scheduled_delay: '5ms' },
  };
  shop = await startStreamingShop({
    config: `telemetry: ${JSON.stringify({
      exporters: { tracing: { otlp } },
      instrumentation: { spans: { mode: 'spec_compliant' } },
    })}`,
  });
});
afterAll(async () => {
  await shop.close();
  await collector.close();
});

describe('The trace of a subscription', () => {
  it('has its opening, each event with its subrequests, and the reason of its end', async () => {
    const { parts } = await requestParts(
      shop.gateway.url,
      { query: pricesQuery, variables: pricesVariables },
      { headers: { Accept: 'multipart/mixed;subscriptionSpec=1.0' } },
    );
    await shop.subscribers(1);
    const read = parts[Symbol.asyncIterator]();
    for (const price of [1, 2]) {
      shop.feed.push('p1', price);
      await read.next();
    }
    shop.feed.end();
    while ((await read.next()).done !== true) {
      // Its last part.
    }
    const named = (name: string) => collector.spans.filter((span) => span.name === name);
    await eventually(() => expect(named('subscription')).toHaveLength(1));
    const [subscription] = named('subscription');
    expect(subscription?.attributes).toMatchObject({
      'apollo.subscription.end_reason': 'server_close',
      'meridian.subscription.events': 2,
    });
    expect(subscription?.parentSpanId).toBe(named('router')[0]?.spanId);
    // Its opening: an event begins after it.
    for (const name of ['supergraph', 'execution']) {
      expect(named(name)[0]?.endNanos).toBeLessThan(subscription?.endNanos ?? 0n);
    }
    const events = named('subscription_event');
    expect(events.map(({ parentSpanId, attributes }) => [parentSpanId, attributes])).toEqual(
      [1, 2].map(() => [subscription?.spanId, { 'meridian.errors': 0 }]),
    );
    const ofEvents = named('subgraph').filter(({ parentSpanId }) => parentSpanId === subscription?.spanId);
    expect(ofEvents.map(({ attributes }) => attributes['subgraph.name'])).toEqual(['names', 'names']);
  });
});
