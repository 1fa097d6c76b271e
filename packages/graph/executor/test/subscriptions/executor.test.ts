import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { ExecutorOptions } from '../../src/index.ts';
import { OperationError, SubscriptionFailure } from '../../src/index.ts';
import type { EventSource, StreamRequest, StreamSink } from '../../src/subscriptions.ts';
import { readEvent } from '../../src/transport/subscriptions/read-event.ts';
import type { StreamingFederation } from './streaming-federation.ts';
import { dataOf, startStreamingFederation, take } from './streaming-federation.ts';

/** A source whose events the test sends. */
class ManualSource implements EventSource {
  readonly streams: { readonly request: StreamRequest; readonly sink: StreamSink; isClosed: boolean }[] = [];

  open(request: StreamRequest, sink: StreamSink): () => void {
    const stream = { request, sink, isClosed: false };
    this.streams.push(stream);
    queueMicrotask(() => sink.onOpen());
    return () => (stream.isClosed = true);
  }

  /** Sends a response, as the subgraph wrote it. */
  send(response: string, index = 0): void {
    const event = readEvent('prices', Buffer.from(response));
    if (!(event instanceof SubscriptionFailure)) {
      this.streams[index]?.sink.onEvent(event);
    }
  }

  sendPrice(price: number | string, id = 'p1'): void {
    this.send(`{"data":{"changed":{"__typename":"Product","id":"${id}","price":${price}}}}`);
  }
}

let source: ManualSource;
let federation: StreamingFederation;
let admitPlan: NonNullable<ExecutorOptions['admitPlan']>;

beforeEach(async () => {
  source = new ManualSource();
  admitPlan = () => {};
  federation = await startStreamingFederation(source, {
    queueCapacity: 3,
    admitPlan: (plan, run) => admitPlan(plan, run),
  });
});

afterEach(() => federation.close());

const text = 'subscription Watch($id: ID!) { changed: priceChanged(id: $id) { price name maker } }';
const variables = { id: 'p1' };

describe('A subscription', () => {
  it('sends the subgraph its own fields, with what other subgraphs need', async () => {
    await federation.subscribe(text, { variables });
    expect(JSON.parse(source.streams[0]?.request.body ?? '')).toEqual({
      query: 'subscription Watch__prices($id:ID!){changed:priceChanged(id:$id){__typename id price}}',
      operationName: 'Watch__prices',
      variables: { id: 'p1' },
    });
  });

  it('takes the fast path for its events, with entities of other subgraphs', async () => {
    const stream = await federation.subscribe(text, { variables });
    source.sendPrice(1);
    source.sendPrice(2);
    expect(dataOf(await take(stream, 2))).toEqual([
      { changed: { price: 1, name: 'product p1', maker: 'ACME' } },
      { changed: { price: 2, name: 'product p1', maker: 'ACME' } },
    ]);
    expect(federation.bailOuts()).toBe(0);
  });

  it('has null, and an error, for the fields of a subgraph that fails', async () => {
    federation.names.misbehave((response) => {
      response.writeHead(500).end();
    });
    const stream = await federation.subscribe(text, { variables });
    source.sendPrice(1);
    const [event] = await take(stream, 1);
    expect(event?.result).toMatchObject({
      data: '{"changed":null}',
      errors: [
        { kind: 'subrequest', code: 'SUBREQUEST_HTTP_ERROR', subgraph: 'names', path: ['changed', 'name'] },
        { kind: 'subrequest', path: ['changed', 'maker'] },
      ],
    });
  });

  it('goes on after an event with errors, and after one that cannot be read', async () => {
    const stream = await federation.subscribe(text, { variables });
    source.send('{"data":{"changed":null},"errors":[{"message":"lost","path":["changed"]}]}');
    source.send('{"data":{"changed":{"__typename":"Product","id":"p1","price":"much"}}}');
    source.send('{"data":[}');
    source.sendPrice(3);
    const events = await take(stream, 3);
    expect(
      events.map(({ result }) => [
        result?.data,
        result?.errors.map((error) => 'code' in error && error.code),
      ]),
    ).toEqual([
      ['{"changed":null}', ['SUBREQUEST_MALFORMED_RESPONSE']],
      ['{"changed":null}', ['SUBREQUEST_MALFORMED_RESPONSE']],
      ['{"changed":{"price":3,"name":"product p1","maker":"ACME"}}', []],
    ]);
    // The queue holds three: the first one was dropped.
    expect(federation.dropped()).toBe(1);
  });

  it('keeps the newest events for a consumer that reads too slowly', async () => {
    const stream = await federation.subscribe(text, { variables });
    for (let price = 1; price <= 100; price += 1) {
      source.sendPrice(price);
    }
    source.streams[0]?.sink.onEnd();
    expect(dataOf(await take(stream, 100))).toMatchObject(
      [98, 99, 100].map((price) => ({ changed: { price } })),
    );
    expect(federation.dropped()).toBe(97);
  });

  it('goes on by a run with the same plan, with other values too, and by no other plan', async () => {
    const stream = await federation.subscribe(text, { variables });
    expect(await federation.subscribe(text, { variables: { id: 'p2' }, kept: stream })).toBe(stream);
    await expect(
      federation.subscribe('subscription { priceChanged(id: "p1") { price } }', { kept: stream }),
    ).rejects.toThrow(OperationError);
    source.sendPrice(1);
    expect(dataOf(await take(stream, 1))).toEqual([
      { changed: { price: 1, name: 'product p1', maker: 'ACME' } },
    ]);
  });

  it('goes on by no plan that is rejected', async () => {
    const stream = await federation.subscribe(text, { variables });
    admitPlan = ({ operationKind }) => {
      throw new RangeError(`No ${operationKind} any more`);
    };
    await expect(federation.subscribe(text, { variables, kept: stream })).rejects.toThrow(RangeError);
  });

  it('is not run as a query, nor a query as a subscription', async () => {
    const signal = new AbortController().signal;
    const prepare = (document: string) => federation.executor.prepare({ document: parse(document) });
    await expect(prepare(text).run({ variables, signal })).rejects.toThrow(OperationError);
    await expect(prepare('{ cheapest { price } }').subscribe({ variables: {}, signal })).rejects.toThrow(
      OperationError,
    );
  });
});
