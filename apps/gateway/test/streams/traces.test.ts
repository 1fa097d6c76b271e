import { describe, expect, it } from '@jest/globals';
import { eventually, startOtlpCollector } from '@meridian/testing';

import type { Explanation } from '../../src/explain/explanation.ts';
import { requestParts } from './read-parts.ts';
import { pricesQuery, pricesVariables, startStreamingShop } from './streaming-shop.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const secret = 'a-secret-of-its-own-long-enough';

const collector = useInSuite(startOtlpCollector);
const shop = useInSuite(() =>
  startStreamingShop({
    meridian: `explain: { enabled: true, secret: ${secret} }`,
    config: `telemetry: ${JSON.stringify({
      exporters: {
        tracing: {
          otlp: {
            enabled: true,
            endpoint: collector.url,
            protocol: 'http',
            batch_processor: { scheduled_delay: '5ms' },
          },
        },
      },
      instrumentation: { spans: { mode: 'spec_compliant' } },
    })}`,
  }),
);

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

describe('The explanation of a subscription', () => {
  it('has its opening, its events with their fetches and errors, and the reason of its end', async () => {
    const { headers, parts, leave } = await requestParts(
      shop.gateway.url,
      { query: pricesQuery, variables: pricesVariables },
      { headers: { Accept: 'multipart/mixed;subscriptionSpec=1.0' } },
    );
    await shop.subscribers(1);
    const read = parts[Symbol.asyncIterator]();
    shop.feed.push('p1', 1);
    await read.next();
    shop.names.misbehave((response) => void response.writeHead(500).end());
    shop.feed.push('p1', 2);
    await read.next();
    shop.names.reset();
    leave();
    const ask = (accept: string): Promise<Response> =>
      fetch(`${shop.gateway.adminUrl}/explain?id=${String(headers['apollo-trace-id'])}`, {
        headers: { accept, authorization: `Bearer ${secret}` },
      });
    await eventually(async () => expect((await ask('text/plain')).status).toBe(200));
    const [explanation] = (await (await ask('application/json')).json()) as Explanation[];
    expect(explanation).toMatchObject({
      operation: { name: 'Prices', type: 'subscription' },
      subscription: { events: 2, endReason: 'client_disconnect', openMs: expect.any(Number) },
      fetches: [
        { number: 1, subgraph: 'prices', outcome: 'ok' },
        { number: 2, subgraph: 'names', entities: 1, outcome: 'ok' },
        { number: 2, subgraph: 'names', outcome: expect.stringContaining('500') },
      ],
      errors: [{ path: 'priceChanged.name', subgraph: 'names', code: 'SUBREQUEST_HTTP_ERROR' }],
    });
    expect(explanation?.stages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['plan', 'subscribe', 'respond']),
    );
    expect(await (await ask('text/plain')).text()).toMatch(
      /Subscription\s+2 events in [\d.]+ ms, until client_disconnect/,
    );
  });
});
