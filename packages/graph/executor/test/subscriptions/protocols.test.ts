import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { EventSource } from '../../src/subscriptions.ts';
import type { Opened, Peer, PeerOptions } from './peers.ts';
import { startGraphqlSsePeer, startWebSocketPeer, startYogaPeer } from './peers.ts';
import { PriceFeed } from './price-feed.ts';
import { overSse, overWebSocket } from './price-sources.ts';
import type { StreamingFederation } from './streaming-federation.ts';
import { dataOf, startStreamingFederation, take } from './streaming-federation.ts';

const protocols: readonly (readonly [
  string,
  (options: PeerOptions) => Promise<Peer>,
  (peer: Peer) => EventSource,
])[] = [
  ['graphql-ws', startWebSocketPeer, overWebSocket],
  ['graphql-sse', startGraphqlSsePeer, overSse],
  ['GraphQL Yoga', startYogaPeer, overSse],
];

describe.each(protocols)('A subscription to a subgraph of %s', (_name, startPeer, sourceOf) => {
  let feed: PriceFeed;
  const opened: Opened[] = [];
  let peer: Peer | undefined;
  let federation: StreamingFederation | undefined;

  const start = async (): Promise<StreamingFederation> => {
    feed = new PriceFeed();
    peer = await startPeer({ feed, onOpen: (one) => opened.push(one) });
    federation = await startStreamingFederation(sourceOf(peer));
    return federation;
  };

  const isLeft = async (): Promise<void> => {
    await eventually(() => expect(peer?.connections()).toBe(0));
    // graphql-sse calls `return` of a generator that waits, which takes effect with the next event.
    if (startPeer !== startGraphqlSsePeer) {
      await eventually(() => expect(feed.followers).toBe(0));
    }
  };

  afterEach(async () => {
    opened.length = 0;
    await federation?.close();
    await peer?.stop();
  });

  it('has its events in order, each with the fields of other subgraphs', async () => {
    const { subscribe } = await start();
    const stream = await subscribe('subscription { priceChanged(id: "p1") { price name alias: maker } }');
    await eventually(() => expect(feed.followers).toBe(1));
    feed.publish('p1', 10);
    feed.publish('p2', 20);
    feed.publish('p1', 11);

    const events = await take(stream, 2);
    expect(dataOf(events)).toEqual([
      { priceChanged: { price: 10, name: 'product p1', alias: 'ACME' } },
      { priceChanged: { price: 11, name: 'product p1', alias: 'ACME' } },
    ]);
    expect(events.map(({ position }) => position)).toEqual(['1', '3']);
    expect(events.flatMap(({ result }) => result?.errors ?? [])).toEqual([]);
    await isLeft();
  });

  it('ends when the subgraph completes it', async () => {
    const { subscribe } = await start();
    const stream = await subscribe('subscription { countdown(from: 2) { price } }');
    expect(dataOf(await take(stream, 10))).toEqual([
      { countdown: { price: 2 } },
      { countdown: { price: 1 } },
    ]);
    await eventually(() => expect(peer?.connections()).toBe(0));
  });

  it('fails with the errors of a subgraph that refuses it', async () => {
    const { subscribe } = await start();
    const refused = (async () => await take(await subscribe('subscription { refused { price } }'), 1))();
    await expect(refused).rejects.toMatchObject({
      name: 'SubscriptionFailure',
      errors: [{ kind: 'reported', subgraph: 'prices' }],
    });
    await eventually(() => expect(peer?.connections()).toBe(0));
  });

  it('gives the subgraph the header fields, and the position to resume from', async () => {
    const { subscribe } = await start();
    feed.publish('p1', 10);
    feed.publish('p1', 11);
    const stream = await subscribe('subscription { priceChanged(id: "p1") { price } }', {
      headersFor: () => ({ authorization: 'Bearer abc', 'x-tenant': 'a' }),
      resumeAfter: '1',
    });
    expect(dataOf(await take(stream, 1))).toEqual([{ priceChanged: { price: 11 } }]);
    expect(opened).toEqual([
      expect.objectContaining({
        headers: expect.objectContaining({ authorization: 'Bearer abc', 'x-tenant': 'a' }),
        connectionParams:
          startPeer === startWebSocketPeer ? { connectionParams: { token: 'Bearer abc' } } : undefined,
        extensions: { resumeAfter: '1' },
      }),
    ]);
  });

  it('ends with its signal, while it waits for an event', async () => {
    const { subscribe } = await start();
    const controller = new AbortController();
    const stream = await subscribe('subscription { priceChanged(id: "p1") { price } }', {
      signal: controller.signal,
    });
    const waiting = take(stream, 1);
    await eventually(() => expect(feed.followers).toBe(1));
    const reason = new Error('the client has gone');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await isLeft();
  });
});
