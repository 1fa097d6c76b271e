// Deploys of a subgraph: its server stops, and another one starts at the same port, over the same log.
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { EventSource } from '../../src/subscriptions.ts';
import { keepStreams, shareStreams } from '../../src/subscriptions.ts';
import type { Peer, PeerOptions } from './peers.ts';
import { startGraphqlSsePeer, startWebSocketPeer, startYogaPeer } from './peers.ts';
import { PriceFeed } from './price-feed.ts';
import { overSse, overWebSocket } from './price-sources.ts';
import type { StreamingFederation } from './streaming-federation.ts';
import { dataOf, startStreamingFederation, take } from './streaming-federation.ts';

const text = 'subscription { priceChanged(id: "p1") { price } }';

const protocols: readonly (readonly [
  string,
  (options: PeerOptions) => Promise<Peer>,
  (peer: Pick<Peer, 'url'>) => EventSource,
])[] = [
  ['a WebSocket', startWebSocketPeer, overWebSocket],
  ['server-sent events', startYogaPeer, overSse],
];

describe.each([
  ['a WebSocket', startWebSocketPeer, overWebSocket],
  ['server-sent events', startGraphqlSsePeer, overSse],
] as const)('A stream over %s whose subgraph names its start', (_name, startPeer, sourceOf) => {
  it('loses no event of a gap before its first one, nor does one that shares it', async () => {
    const feed = new PriceFeed();
    feed.publish('p1', 1);
    let peer = await startPeer({ feed, namesStart: true });
    const port = Number(new URL(peer.url).port);
    const kept = keepStreams(sourceOf(peer), { maxAttempts: 20, delayMs: 20 });
    const federation = await startStreamingFederation(
      shareStreams(kept, { ignoredHeaders: new Set(), onRequest: () => {} }),
    );
    const first = (await federation.subscribe(text))[Symbol.asyncIterator]();
    expect(await first.next()).toEqual({ done: false, value: { result: undefined, position: '1' } });
    const second = (await federation.subscribe(text))[Symbol.asyncIterator]();
    expect(await second.next()).toEqual({ done: false, value: { result: undefined, position: '1' } });
    expect(feed.followers).toBe(1);

    await peer.stop();
    feed.publish('p1', 2);
    peer = await startPeer({ feed, port, namesStart: true });
    for (const stream of [first, second]) {
      let event = await stream.next();
      while (event.value?.result === undefined) {
        event = await stream.next();
      }
      expect(event.value).toMatchObject({ result: { data: '{"priceChanged":{"price":2}}' }, position: '2' });
      await stream.return?.();
    }
    await federation.close();
    await peer.stop();
  });
});

describe.each(protocols)('A stream over %s', (_name, startPeer, sourceOf) => {
  let peer: Peer | undefined;
  let federation: StreamingFederation | undefined;

  afterEach(async () => {
    await federation?.close();
    await peer?.stop();
  });

  it('loses no event, and has none twice, over deploys of its subgraph', async () => {
    const feed = new PriceFeed();
    peer = await startPeer({ feed });
    const port = Number(new URL(peer.url).port);
    const outcomes: string[] = [];
    federation = await startStreamingFederation(
      keepStreams(sourceOf(peer), {
        maxAttempts: 20,
        delayMs: 20,
        onReconnect: (outcome) => outcomes.push(outcome),
      }),
    );
    const stream = await federation.subscribe(text);
    await eventually(() => expect(feed.followers).toBe(1));
    feed.publish('p1', 1);
    const first = await stream[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ position: '1' });
    const received = take(stream, 30);
    for (let deploy = 0; deploy < 3; deploy += 1) {
      for (let event = 1; event <= 5; event += 1) {
        feed.publish('p1', feed.log.length + 1);
      }
      await eventually(() => expect(peer?.connections()).toBe(1));
      await peer.stop();
      for (let event = 1; event <= 5; event += 1) {
        feed.publish('p1', feed.log.length + 1);
      }
      peer = await startPeer({ feed, port });
      await eventually(() => expect(outcomes).toHaveLength(deploy + 1));
    }
    expect(dataOf(await received)).toEqual(
      Array.from({ length: 30 }, (_, index) => ({ priceChanged: { price: index + 2 } })),
    );
    expect(outcomes).toEqual(['open', 'open', 'open']);
  });

  it('ends with an error when the subgraph does not come back', async () => {
    const feed = new PriceFeed();
    peer = await startPeer({ feed });
    const outcomes: string[] = [];
    federation = await startStreamingFederation(
      keepStreams(sourceOf(peer), {
        maxAttempts: 3,
        delayMs: 5,
        onReconnect: (outcome) => outcomes.push(outcome),
      }),
    );
    const stream = await federation.subscribe(text);
    const received = take(stream, 1);
    await eventually(() => expect(feed.followers).toBe(1));
    await peer.stop();
    peer = undefined;
    await expect(received).rejects.toMatchObject({
      name: 'SubscriptionFailure',
      errors: [{ kind: 'subrequest', subgraph: 'prices' }],
    });
    expect(outcomes).toEqual(['failed']);
  });

  it('is not opened again by itself where the subgraph was never there', async () => {
    peer = await startPeer({ feed: new PriceFeed() });
    const { url } = peer;
    await peer.stop();
    peer = undefined;
    federation = await startStreamingFederation(
      keepStreams(sourceOf({ url }), { maxAttempts: 100, delayMs: 1000 }),
    );
    await expect(federation.subscribe(text)).rejects.toMatchObject({ name: 'SubscriptionFailure' });
  });
});
