// Subgraphs that hang, flood, lie, and go on after the end.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { LoopbackServer } from '@meridian/testing';
import { eventually, listenOnLoopback } from '@meridian/testing';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';

import type { EventSource, WebSocketSourceOptions } from '../../src/subscriptions.ts';
import { createHttpSource, createStreamAgent, keepStreams } from '../../src/subscriptions.ts';
import { overWebSocket as webSocketSource } from './price-sources.ts';
import type { StreamingFederation } from './streaming-federation.ts';
import { dataOf, startStreamingFederation, take } from './streaming-federation.ts';

let server: LoopbackServer | undefined;
let federation: StreamingFederation | undefined;

afterEach(async () => {
  await federation?.close();
  await server?.close();
});

const text = 'subscription { priceChanged(id: "p1") { price } }';
const ack = '{"type":"connection_ack"}';
const next = (price: number, id = '1', type = 'next'): string =>
  JSON.stringify({ id, type, payload: { data: { priceChanged: { price } } } });

/** Subscribes at a WebSocket server that behaves so, once the client has sent each message. */
async function overWebSocket(
  onMessage: (socket: WebSocket, type: string) => void,
  options: Partial<WebSocketSourceOptions> = {},
  around: (source: EventSource) => EventSource = (source) => source,
): Promise<{ readonly sockets: ReadonlySet<WebSocket>; readonly federation: StreamingFederation }> {
  const http = createServer();
  const webSockets = new WebSocketServer({ server: http });
  webSockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      onMessage(socket, type);
    });
  });
  server = await listenOnLoopback(http);
  const source = webSocketSource({ url: server.url, maxMessageBytes: 10_000, ...options });
  federation = await startStreamingFederation(around(source), { queueCapacity: 10 });
  return { sockets: webSockets.clients, federation };
}

function withCode(code: string): object {
  return { name: 'SubscriptionFailure', errors: [{ kind: 'subrequest', code, subgraph: 'prices' }] };
}

/** Acknowledges, and sends these messages for a subscription. */
function sending(...messages: readonly (string | Buffer)[]) {
  return (socket: WebSocket, type: string): void => {
    if (type === 'connection_init') {
      socket.send(ack);
    } else if (type === 'subscribe' || type === 'start') {
      for (const message of messages) {
        socket.send(message);
      }
    }
  };
}

describe('A subgraph behind a WebSocket that', () => {
  it('does not acknowledge has WEBSOCKET_ACK_ERROR_TIMEOUT', async () => {
    const opened = await overWebSocket(() => {}, { ackTimeoutMs: 1000 });
    await expect(opened.federation.subscribe(text)).rejects.toMatchObject(
      withCode('WEBSOCKET_ACK_ERROR_TIMEOUT'),
    );
    await eventually(() => expect(opened.sockets.size).toBe(0));
  });

  it.each([
    [
      'sends an event before the acknowledgement',
      'WEBSOCKET_ACK_ERROR',
      (socket: WebSocket) => socket.send(next(1)),
    ],
    ['closes at once', 'WEBSOCKET_CONNECTION_ERROR', (socket: WebSocket) => socket.close(1011)],
    ['forbids the caller', 'WEBSOCKET_CLOSE_ERROR', (socket: WebSocket) => socket.close(4403, 'Forbidden')],
    ['breaks the connection off', 'WEBSOCKET_CONNECTION_ERROR', (socket: WebSocket) => socket.terminate()],
    ['sends no JSON', 'WEBSOCKET_MESSAGE_ERROR', (socket: WebSocket) => socket.send('hello')],
  ])('%s has %s', async (_name, code, behave) => {
    const opened = await overWebSocket(behave);
    await expect(opened.federation.subscribe(text)).rejects.toMatchObject(withCode(code));
    await eventually(() => expect(opened.sockets.size).toBe(0));
  });

  it('is not there has WEBSOCKET_CONNECTION_ERROR', async () => {
    const opened = await overWebSocket(() => {});
    await server?.close();
    server = undefined;
    await expect(opened.federation.subscribe(text)).rejects.toMatchObject(
      withCode('WEBSOCKET_CONNECTION_ERROR'),
    );
  });

  it.each([
    ['a message that is not JSON', '{"id":"1","type":"next","payload":'],
    ['a message for another subscription', next(2, '2')],
    ['a message of an unknown type', '{"id":"1","type":"surprise"}'],
    ['an event without a payload', '{"id":"1","type":"next"}'],
    ['a message without a type', '{}'],
    ['a binary message', Buffer.from(next(2))],
    ['a second acknowledgement', ack],
    ['a message over the limit', next(2).replace('}', `,"x":"${'x'.repeat(20_000)}"}`)],
  ])('sends %s has WEBSOCKET_MESSAGE_ERROR, after the events before it', async (_name, lie) => {
    const opened = await overWebSocket(sending(next(1), lie, next(3)));
    const iterator = (await opened.federation.subscribe(text))[Symbol.asyncIterator]();
    expect((await iterator.next()).value?.result?.data).toBe('{"priceChanged":{"price":1}}');
    await expect(iterator.next()).rejects.toMatchObject(withCode('WEBSOCKET_MESSAGE_ERROR'));
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await eventually(() => expect(opened.sockets.size).toBe(0));
  });

  it('sends events after the end is ignored', async () => {
    const opened = await overWebSocket(sending(next(1), '{"id":"1","type":"complete"}', next(2), next(3)));
    expect(dataOf(await take(await opened.federation.subscribe(text), 10))).toEqual([
      { priceChanged: { price: 1 } },
    ]);
  });

  it('ends with errors has them', async () => {
    const opened = await overWebSocket(
      sending(
        next(1),
        '{"id":"1","type":"error","payload":[{"message":"gone","extensions":{"code":"FORBIDDEN"}}]}',
      ),
    );
    await expect(take(await opened.federation.subscribe(text), 10)).rejects.toMatchObject({
      errors: [{ kind: 'reported', message: 'gone', extensions: { code: 'FORBIDDEN' } }],
    });
  });

  it('floods costs its oldest events, and no memory', async () => {
    const opened = await overWebSocket((socket, type) => {
      sending(...Array.from({ length: 5000 }, (_, index) => next(index)), '{"id":"1","type":"complete"}')(
        socket,
        type,
      );
    });
    const stream = await opened.federation.subscribe(text);
    await eventually(() => expect(opened.federation.dropped()).toBe(4990));
    const events = dataOf(await take(stream, 100));
    expect(events).toHaveLength(10);
    expect(events.at(-1)).toEqual({ priceChanged: { price: 4999 } });
  });

  it('falls silent is lost after two heartbeats', async () => {
    const opened = await overWebSocket(sending(next(1)), { heartbeatIntervalMs: 20 });
    await expect(take(await opened.federation.subscribe(text), 2)).rejects.toMatchObject(
      withCode('WEBSOCKET_CLOSE_ERROR'),
    );
  });

  it('answers pings, and sends its own, keeps its stream', async () => {
    let pings = 0;
    const opened = await overWebSocket(
      (socket, type) => {
        sending(next(1), '{"type":"ping","payload":{"a":1}}')(socket, type);
        if (type === 'ping') {
          pings += 1;
          socket.send('{"type":"pong"}');
        }
        if (pings === 5) {
          pings += 1;
          socket.send(next(2));
        }
      },
      { heartbeatIntervalMs: 20 },
    );
    expect(dataOf(await take(await opened.federation.subscribe(text), 2))).toHaveLength(2);
  });

  it('keeps dying after it has answered is not asked again without a delay', async () => {
    let connections = 0;
    const opened = await overWebSocket(
      (socket, type) => {
        connections += Number(type === 'connection_init');
        sending()(socket, type);
        if (type === 'subscribe') {
          socket.terminate();
        }
      },
      {},
      (source) => keepStreams(source, { maxAttempts: 4, delayMs: 10, random: () => 0 }),
    );
    await expect(take(await opened.federation.subscribe(text), 1)).rejects.toMatchObject(
      withCode('WEBSOCKET_CLOSE_ERROR'),
    );
    expect(connections).toBe(5);
  });

  it('speaks the older subprotocol has its events', async () => {
    const opened = await overWebSocket(
      sending('{"type":"ka"}', next(1, '1', 'data'), '{"id":"1","type":"complete"}'),
      { protocol: 'graphql_transport_ws' },
    );
    expect(dataOf(await take(await opened.federation.subscribe(text), 10))).toEqual([
      { priceChanged: { price: 1 } },
    ]);
    await eventually(() => expect(opened.sockets.size).toBe(0));
  });
});

describe('1000 connects and disconnects', () => {
  it('leave no WebSocket, and no timer', async () => {
    const opened = await overWebSocket(sending(next(1)), { heartbeatIntervalMs: 60_000 });
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 50 }, async () => await take(await opened.federation.subscribe(text), 1)),
      );
    }
    await eventually(() => expect(opened.sockets.size).toBe(0));
    await eventually(() => expect(timers()).toBeLessThanOrEqual(before + 5));
  });
});

const agent = createStreamAgent();

/** Subscribes at an HTTP server that responds so. */
async function overHttp(
  protocol: 'sse' | 'multipart',
  respond: (response: ServerResponse) => void,
  timeoutMs = 10_000,
): Promise<StreamingFederation> {
  server = await listenOnLoopback((request, response) => {
    request.resume();
    respond(response);
  });
  federation = await startStreamingFederation(
    createHttpSource({
      subgraph: 'prices',
      url: server.url,
      protocol,
      timeoutMs,
      maxEventBytes: 10_000,
      agent,
    }),
  );
  return federation;
}

const sse = { 'content-type': 'text/event-stream' };
const multipart = { 'content-type': 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0' };
const payload = (price: number): string => `{"data":{"priceChanged":{"price":${price}}}}`;
const part = (json: string): string => `\r\n--graphql\r\ncontent-type: application/json\r\n\r\n${json}`;

describe('A subgraph over HTTP that', () => {
  it.each([
    [
      'sse',
      'events in any pieces, with comments,',
      `:\r\n\r\nevent: next\r\ndata: ${payload(1)}\r\n\r\nevent:next\ndata:${payload(2).replace(',', ',\ndata:')}\n\n: ping\n\nevent: other\ndata: {}\n\nevent: complete\ndata:\n\n`,
    ],
    [
      'multipart',
      'parts in any pieces, with heartbeats,',
      `${part('{}')}${part(`{"payload":${payload(1)}}`)}${part('{}')}${part(`{"payload":${payload(2)}}`)}\r\n--graphql--\r\n`,
    ],
  ] as const)('sends by %s %s has them all', async (protocol, _what, whole) => {
    const { subscribe } = await overHttp(protocol, (response) => {
      response.writeHead(200, protocol === 'sse' ? sse : multipart);
      for (const character of whole) {
        response.write(character);
      }
    });
    expect(dataOf(await take(await subscribe(text), 10))).toEqual([
      { priceChanged: { price: 1 } },
      { priceChanged: { price: 2 } },
    ]);
  });

  it('ends a multipart stream with errors has them', async () => {
    const { subscribe } = await overHttp('multipart', (response) => {
      response.writeHead(200, multipart);
      response.end(`${part('{"payload":null,"errors":[{"message":"gone"}]}')}\r\n--graphql--\r\n`);
    });
    await expect(take(await subscribe(text), 1)).rejects.toMatchObject({ errors: [{ message: 'gone' }] });
  });

  it.each([
    ['hangs', 'GATEWAY_TIMEOUT', () => {}],
    ['is overloaded', 'SUBREQUEST_HTTP_ERROR', (response: ServerResponse) => response.writeHead(503).end()],
    [
      'does not know the path',
      'SUBREQUEST_HTTP_ERROR',
      (response: ServerResponse) => response.writeHead(404).end(),
    ],
    [
      'sends a page',
      'SUBREQUEST_MALFORMED_RESPONSE',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    ['breaks off', 'SUBREQUEST_HTTP_ERROR', (response: ServerResponse) => response.destroy()],
  ])('%s has %s', async (_name, code, respond) => {
    const { subscribe } = await overHttp('sse', respond, code === 'GATEWAY_TIMEOUT' ? 200 : undefined);
    await expect(subscribe(text)).rejects.toMatchObject(withCode(code));
  });

  it.each([
    ['sse', `event: next\ndata: ${'x'.repeat(20_000)}`],
    ['multipart', part(`{"payload":{"data":"${'x'.repeat(20_000)}`)],
    ['multipart', `${part('[1]')}${part('')}`],
  ] as const)(
    'sends an event over the limit, or none, by %s, has SUBREQUEST_MALFORMED_RESPONSE',
    async (protocol, lie) => {
      const { subscribe } = await overHttp(protocol, (response) => {
        response.writeHead(200, protocol === 'sse' ? sse : multipart);
        response.write(lie);
      });
      await expect(take(await subscribe(text), 1)).rejects.toMatchObject(
        withCode('SUBREQUEST_MALFORMED_RESPONSE'),
      );
    },
  );

  it('loses its consumer has its connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    const { subscribe } = await overHttp('sse', (response) => {
      response.writeHead(200, sse);
      response.write(`event: next\ndata: ${payload(1)}\n\n`);
      void once(response, 'close').then(() => closed.resolve());
    });
    await take(await subscribe(text), 1);
    await expect(closed.promise).resolves.toBeUndefined();
  });
});
