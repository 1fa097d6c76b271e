import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { parse } from 'graphql';

import type { SubscriptionEvent, SubscriptionStream } from '../../src/index.ts';
import { callersInTurn } from '../../src/run/turns.ts';
import { shareStreams } from '../../src/subscriptions.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import type { Peer } from './peers.ts';
import { startWebSocketPeer } from './peers.ts';
import { PriceFeed } from './price-feed.ts';
import { overWebSocket } from './price-sources.ts';
import type { StreamingFederation } from './streaming-federation.ts';
import { dataOf, startStreamingFederation, take } from './streaming-federation.ts';

let feed: PriceFeed;
let peer: Peer;
let federation: StreamingFederation;
let requests: boolean[];

beforeEach(async () => {
  feed = new PriceFeed();
  peer = await startWebSocketPeer({ feed });
  requests = [];
  federation = await startStreamingFederation(
    shareStreams(overWebSocket(peer), {
      ignoredHeaders: new Set(['x-request-id']),
      onRequest: (isShared) => requests.push(isShared),
    }),
  );
});

afterEach(async () => {
  await federation.close();
  await peer.stop();
});

const text = 'subscription { priceChanged(id: "p1") { price name } }';

const subscribe = (headers: Record<string, string>, resumeAfter?: string): Promise<SubscriptionStream> =>
  federation.subscribe(text, { headersFor: () => headers, resumeAfter });

describe('Equal subscriptions of callers who may share', () => {
  it('are one stream of the subgraph, which the last one to leave closes', async () => {
    const controllers = Array.from({ length: 50 }, () => new AbortController());
    const streams = await Promise.all(
      controllers.map(({ signal }, index) =>
        federation.subscribe(text, {
          signal,
          headersFor: () => ({
            authorization: 'Bearer a',
            traceparent: `trace ${index}`,
            'x-request-id': `${index}`,
          }),
        }),
      ),
    );
    await eventually(() => expect(feed.followers).toBe(1));
    expect(peer.connections()).toBe(1);
    expect(requests.filter((isShared) => !isShared)).toHaveLength(1);

    const received = streams.map((stream) => take(stream, 1));
    feed.publish('p1', 7);
    for (const events of await Promise.all(received.slice(0, 49))) {
      expect(dataOf(events)).toEqual([{ priceChanged: { price: 7, name: 'product p1' } }]);
    }
    await received[49];
    await eventually(() => expect([feed.followers, peer.connections()]).toEqual([0, 0]));
  });

  it('fetch the entities of an event once for each authority', async () => {
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        subscribe({ authorization: index < 15 ? 'Bearer a' : 'Bearer b' }),
      ),
    );
    await eventually(() => expect(feed.followers).toBe(2));
    const received = streams.map((stream) => take(stream, 1));
    feed.publish('p1', 7);
    await Promise.all(received);
    expect(
      federation.names.received
        .map(({ headers }) => headers.authorization ?? '')
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(['Bearer a', 'Bearer b']);
  });

  it('run the plan for an event once for each authority and operation', async () => {
    const document = 'subscription { priceChanged(id: "p1") { price name maker } }';
    const prepared = federation.executor.prepare({ document: parse(document) });
    const open = async (authorization: string, variables = {}): Promise<AsyncIterator<SubscriptionEvent>> => {
      const run = { variables, signal: new AbortController().signal, headersFor: () => ({ authorization }) };
      return (await prepared.subscribe(run))[Symbol.asyncIterator]();
    };
    const [one, same, other] = await Promise.all(
      ['Bearer a', 'Bearer a', 'Bearer b'].map((token) => open(token)),
    );
    await eventually(() => expect(feed.followers).toBe(2));
    const events = [one, same, other].map(async (iterator) => await iterator?.next());
    feed.publish('p1', 7);
    const [first, second, third] = await Promise.all(events);
    expect(second?.value.result).toBe(first?.value.result);
    expect(third?.value.result).not.toBe(first?.value.result);
    expect(third?.value.result.data).toBe(first?.value.result.data);
  });

  it('all get an event, also where one leaves while others have it already', async () => {
    const leaving = new AbortController();
    const prepared = federation.executor.prepare({ document: parse(text) });
    const open = async (signal: AbortSignal): Promise<AsyncIterator<SubscriptionEvent>> =>
      (await prepared.subscribe({ variables: {}, signal }))[Symbol.asyncIterator]();
    const staying = new AbortController();
    const iterators = await Promise.all(
      Array.from({ length: 400 }, (_, index) => open((index === 399 ? leaving : staying).signal)),
    );
    await eventually(() => expect(feed.followers).toBe(1));
    const [first, ...others] = iterators.map(async (iterator) => await iterator.next());
    const last = others.pop();
    feed.publish('p1', 7);
    const event = await first;
    const reason = new Error('the client has gone');
    leaving.abort(reason);
    await expect(last).rejects.toBe(reason);
    expect(await Promise.all(others)).toEqual(Array.from({ length: 398 }, () => event));
    expect(federation.names.received).toHaveLength(1);
  });

  it('run the plan for an event once, also for one that reads it later, and get events in order, in turns', async () => {
    const prepared = federation.executor.prepare({ document: parse(text) });
    const { signal } = new AbortController();
    const open = async (): Promise<AsyncIterator<SubscriptionEvent>> =>
      (await prepared.subscribe({ variables: {}, signal }))[Symbol.asyncIterator]();
    const late = await open();
    const iterators = await Promise.all(Array.from({ length: 400 }, open));
    await eventually(() => expect(feed.followers).toBe(1));

    const prices = [1, 2, 3, 4, 5];
    let inTurn = 0;
    let maxInTurn = 0;
    let isReading = true;
    const countTurns = (): void => {
      maxInTurn = Math.max(maxInTurn, inTurn);
      inTurn = 0;
      if (isReading) {
        setImmediate(countTurns);
      }
    };
    const read = async (iterator: AsyncIterator<SubscriptionEvent>): Promise<unknown> => {
      const events: SubscriptionEvent[] = [];
      while (events.length < prices.length) {
        events.push((await iterator.next()).value as SubscriptionEvent);
        inTurn += 1;
      }
      return dataOf(events);
    };
    const received = iterators.map(read);
    countTurns();
    prices.forEach((price) => feed.publish('p1', price));
    const all = prices.map((price) => ({ priceChanged: { price, name: 'product p1' } }));
    expect(await Promise.all(received)).toEqual(received.map(() => all));
    expect(await read(late)).toEqual(all);
    isReading = false;
    expect(federation.names.received).toHaveLength(prices.length);
    // Between two counts are parts of at most two turns.
    expect(maxInTurn).toBeLessThanOrEqual(2 * callersInTurn);
  });

  it('go on for the others when the one whose run it is leaves', async () => {
    const held = Promise.withResolvers<void>();
    federation.names.misbehave(async (response) => {
      await held.promise;
      respondJson(response, { data: { _entities: [{ __typename: 'Product', name: 'late' }] } });
    });
    const prepared = federation.executor.prepare({ document: parse(text) });
    const controller = new AbortController();
    const open = async (signal: AbortSignal): Promise<AsyncIterator<SubscriptionEvent>> =>
      (await prepared.subscribe({ variables: {}, signal }))[Symbol.asyncIterator]();
    const leaving = await open(controller.signal);
    const staying = await open(new AbortController().signal);
    await eventually(() => expect(feed.followers).toBe(1));
    const left = leaving.next();
    const stayed = staying.next();
    feed.publish('p1', 7);
    await eventually(() => expect(federation.names.received).toHaveLength(1));
    const reason = new Error('the client has gone');
    controller.abort(reason);
    await expect(left).rejects.toBe(reason);
    held.resolve();
    const event = await stayed;
    expect(JSON.parse(event.value.result.data)).toEqual({ priceChanged: { price: 7, name: 'late' } });
  });

  it.each([
    ['another token', { authorization: 'Bearer b' }],
    ['a further field', { authorization: 'Bearer a', 'x-role': 'admin' }],
    ['no token', {}],
  ])('do not share with a caller who has %s', async (_name, headers) => {
    await subscribe({ authorization: 'Bearer a' });
    await subscribe(headers);
    await eventually(() => expect(feed.followers).toBe(2));
    expect(requests).toEqual([false, false]);
  });

  it('do not share with a subscription with other variables', async () => {
    const document = 'subscription ($id: ID!) { priceChanged(id: $id) { price } }';
    const [one, other] = await Promise.all(
      ['p1', 'p2'].map((id) => federation.subscribe(document, { variables: { id } })),
    );
    await eventually(() => expect(feed.followers).toBe(2));
    const received = [take(one!, 1), take(other!, 1)];
    feed.publish('p1', 1);
    feed.publish('p2', 2);
    expect((await Promise.all(received)).map(dataOf)).toEqual([
      [{ priceChanged: { price: 1 } }],
      [{ priceChanged: { price: 2 } }],
    ]);
  });

  it('are joined by one that resumes where they are, and by no other', async () => {
    const first = await subscribe({});
    await eventually(() => expect(feed.followers).toBe(1));
    const iterator = first[Symbol.asyncIterator]();
    feed.publish('p1', 1);
    expect((await iterator.next()).value).toMatchObject({ position: '1' });
    feed.publish('p1', 2);
    expect((await iterator.next()).value).toMatchObject({ position: '2' });

    const there = await subscribe({}, '2');
    const earlier = await subscribe({}, '1');
    expect(requests).toEqual([false, true, false]);
    feed.publish('p1', 3);
    expect((await take(there, 1)).map(({ position }) => position)).toEqual(['3']);
    expect((await take(earlier, 2)).map(({ position }) => position)).toEqual(['2', '3']);
  });

  it('all have the errors of a subgraph that refuses, and the next one asks again', async () => {
    const document = 'subscription { refused { price } }';
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, async () => await take(await federation.subscribe(document), 1)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    await expect(take(await federation.subscribe(document), 1)).rejects.toMatchObject({
      name: 'SubscriptionFailure',
    });
    expect(requests.filter((isShared) => !isShared)).toHaveLength(2);
  });
});
