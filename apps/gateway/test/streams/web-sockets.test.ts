// Operations over WebSockets, with unmodified clients.
import { once } from 'node:events';
import { createServer } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApolloClient, InMemoryCache, gql } from '@apollo/client/core';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { StopController } from '@meridian/cancellation';
import { createLogger } from '@meridian/telemetry';
import {
  createSelfSignedCertificate,
  createTestIdentity,
  eventually,
  listenOnLoopback,
} from '@meridian/testing';
import type { Client, SubscribePayload } from 'graphql-ws';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { serveWebSockets } from '../../src/websocket/serve-web-sockets.ts';
import type { StreamingShop } from './streaming-shop.ts';
import {
  knownCallers,
  pricesQuery as query,
  pricesVariables as variables,
  startStreamingShop,
} from './streaming-shop.ts';
import { useInSuite } from '../support/use-in-suite.ts';

let shop: StreamingShop;
const subscribers = (count: number): Promise<void> => shop.subscribers(count);
const socketUrl = (): string => shop.gateway.url.replace('http', 'ws');
const connect = (connectionParams?: Record<string, unknown>): Client =>
  createClient({
    url: socketUrl(),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(connectionParams && { connectionParams }),
  });
const ask = async (client: Client, payload: SubscribePayload): Promise<unknown> =>
  (await client.iterate(payload).next()).value as unknown;

/** The code and the reason with which the gateway closes a connection. */
async function closeOf(socket: WebSocket): Promise<unknown[]> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return [code, reason.toString()];
}

describe('Operations over a WebSocket', () => {
  beforeAll(async () => {
    shop = await startStreamingShop();
  });
  afterAll(() => shop.close());

  it('run for the client of graphql-ws: subscriptions, queries and faulty ones, side by side', async () => {
    const client = connect();
    const prices = client.iterate({ query, variables });
    const first = prices.next();
    await subscribers(1);
    expect(await ask(client, { query: 'query A { product(id: "p7") { name } }' })).toEqual({
      data: { product: { name: 'Product p7' } },
    });
    await expect(ask(client, { query: 'query A { nothing }' })).rejects.toMatchObject([
      { message: expect.stringContaining('nothing'), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ]);
    shop.feed.push('p1', 7);
    expect(await first).toMatchObject({
      value: {
        data: { priceChanged: { id: 'p1', price: 7, name: 'Product p7'.replace('p7', 'p1') } },
        extensions: { cursor: expect.any(String) },
      },
    });
    shop.feed.end();
    expect(await prices.next()).toEqual({ done: true, value: undefined });
    await client.dispose();
  });

  it('reject @defer, which needs HTTP', async () => {
    const client = connect();
    await expect(
      ask(client, { query: 'query A { product(id: "p7") { ... @defer { name } } }' }),
    ).rejects.toMatchObject([
      {
        message: expect.stringContaining('over HTTP, not a WebSocket'),
        extensions: { code: 'DEFER_BAD_HEADER' },
      },
    ]);
    await client.dispose();
  });

  it('run for the client of graphql-ws over TLS, and for pages of the own origin', async () => {
    const { cert, key } = createSelfSignedCertificate();
    await using own = await startStreamingShop({ tls: { certificate: cert, key } });
    const url = own.gateway.url.replace('http', 'https');
    class TrustingSocket extends WebSocket {
      constructor(address: string, protocols: string | string[]) {
        super(address, protocols, { ca: cert, origin: new URL(url).origin });
      }
    }
    const client = createClient({
      url: url.replace('https', 'wss'),
      webSocketImpl: TrustingSocket,
      retryAttempts: 0,
    });
    const prices = client.iterate({ query, variables });
    const first = prices.next();
    await own.subscribers(1);
    own.feed.push('p1', 9);
    expect(await first).toMatchObject({
      value: { data: { priceChanged: { price: 9, name: 'Product p1' } } },
    });
    expect(await ask(client, { query: 'query A { product(id: "p7") { name } }' })).toEqual({
      data: { product: { name: 'Product p7' } },
    });
    await client.dispose();
    await own.subscribers(0);
  });

  it('run for Apollo Client', async () => {
    const webSocket = connect();
    const client = new ApolloClient({ cache: new InMemoryCache(), link: new GraphQLWsLink(webSocket) });
    const seen: unknown[] = [];
    const subscription = client
      .subscribe({
        query: gql`
          ${query}
        `,
        variables,
      })
      .subscribe(({ data }) => void seen.push(data));
    await subscribers(1);
    shop.feed.push('p1', 8);
    await eventually(() =>
      expect(seen).toEqual([
        { priceChanged: { __typename: 'Product', id: 'p1', price: 8, name: 'Product p1' } },
      ]),
    );
    subscription.unsubscribe();
    await subscribers(0);
    client.stop();
    await webSocket.dispose();
  });

  it('end when the client leaves them, and when it leaves', async () => {
    const client = connect();
    const prices = client.iterate({ query, variables });
    void prices.next();
    await subscribers(1);
    await prices.return?.();
    await subscribers(0);
    const lost = client.iterate({ query, variables }).next();
    await subscribers(1);
    client.terminate();
    await expect(lost).rejects.toMatchObject({ code: 4499 });
    await subscribers(0);
    await shop.gateway.logged({ operation: 'Prices', status: 499, endReason: 'client_disconnect' });
  });

  it('resume from a position', async () => {
    const client = connect();
    shop.feed.push('p9', 1);
    shop.feed.push('p9', 2);
    const missed = { query, variables: { id: 'p9' }, extensions: { resumeAfter: '0' } };
    const results = client.iterate(missed);
    expect(await results.next()).toMatchObject({ value: { data: { priceChanged: { price: 1 } } } });
    expect(await results.next()).toMatchObject({ value: { data: { priceChanged: { price: 2 } } } });
    await client.dispose();
    await subscribers(0);
  });

  it.each([
    ['no subprotocol', [], [], [4406, 'Subprotocol not acceptable']],
    [
      'an operation before connection_init',
      'graphql-transport-ws',
      ['{"id":"1","type":"subscribe","payload":{"query":"{ a }"}}'],
      [4401, 'Unauthorized'],
    ],
    ['a message that is none', 'graphql-transport-ws', ['hello'], [4400, 'Invalid message received']],
    [
      'a second connection_init',
      'graphql-transport-ws',
      ['{"type":"connection_init"}', '{"type":"connection_init"}'],
      [4429, 'Too many initialisation requests'],
    ],
  ])('are closed for %s', async (_fault, protocol, messages, close) => {
    const socket = new WebSocket(socketUrl(), protocol);
    const closed = closeOf(socket);
    socket.on('open', () => messages.forEach((message) => socket.send(message)));
    expect(await closed).toEqual(close);
  });

  it.each([
    ['of another origin', { origin: 'https://evil.example' }, 400],
    ['whose origin is `null`', { origin: 'null' }, 400],
  ])('are refused to a page %s', async (_page, headers, status) => {
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws', { headers });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain(String(status));
  });

  it('are open to a page of the gateway itself', async () => {
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws', {
      origin: new URL(shop.gateway.url).origin,
    });
    await once(socket, 'open');
    expect(socket.protocol).toBe('graphql-transport-ws');
    socket.terminate();
  });

  it('are closed for a message that is too long', async () => {
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws');
    const closed = closeOf(socket);
    socket.on('open', () => socket.send('x'.repeat(3_000_000)));
    expect(await closed).toEqual([1009, '']);
  });
});

describe('Connections of known callers', () => {
  const identity = useInSuite(createTestIdentity);
  beforeAll(async () => {
    shop = await startStreamingShop(knownCallers(identity));
  });
  afterAll(() => shop.close());
  const persisted = { query: '', extensions: { persistedQuery: { version: 1, sha256Hash: 'costs' } } };

  /** Sends a subscription as bytes. */
  const sendOperation = async (payload: unknown) => {
    const authorization = `Bearer ${await identity.token({ scopes: [] })}`;
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws', { headers: { authorization } });
    const closed = closeOf(socket);
    const events: unknown[] = [];
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { readonly type: string };
      events.push(message);
      if (message.type === 'connection_ack') {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
      }
    });
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    return { events, closed, close: () => socket.terminate() };
  };

  it.each(['authorization', 'Authorization'])(
    'bring their token in %s of connection_init, until it expires',
    async (name) => {
      const token = await identity.token({ ttlSeconds: 4, scopes: ['costs:read'] });
      const client = connect({ [name]: `Bearer ${token}` });
      const results = client.iterate(persisted);
      const first = results.next();
      await subscribers(1);
      shop.feed.push('p1', 1);
      expect(await first).toMatchObject({ value: { data: { priceChanged: { price: 1, cost: 1 } } } });
      await expect(results.next()).rejects.toMatchObject([
        { extensions: { code: 'SUBSCRIPTION_JWT_EXPIRED' } },
      ]);
      await client.dispose();
      await subscribers(0);
    },
  );

  it('bring their token in the header of the upgrade, also from a page of an allowed origin', async () => {
    const token = await identity.token({ scopes: [] });
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws', {
      origin: 'https://shop.example',
      headers: { Authorization: `Bearer ${token}` },
    });
    const messages: unknown[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    socket.send('{"type":"ping"}');
    await eventually(() => expect(messages).toContainEqual({ type: 'connection_ack' }));
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: persisted }));
    await eventually(() =>
      expect(messages).toContainEqual({
        type: 'ping',
        payload: { id: '1', cursor: String(shop.feed.position) },
      }),
    );
    await subscribers(1);
    shop.feed.push('p1', 2);
    await eventually(() =>
      expect(messages).toContainEqual(
        expect.objectContaining({
          id: '1',
          type: 'next',
          payload: expect.objectContaining({ data: { priceChanged: { price: 2, cost: null } } }),
        }),
      ),
    );
    socket.terminate();
    await subscribers(0);
  });

  const persistedQuery = { version: 1, sha256Hash: 'costs' };
  it.each([
    { documentId: 'costs' },
    { query: null, documentId: 'costs' },
    { extensions: { persistedQuery } },
    { query: '', documentId: 'costs', extensions: { persistedQuery } },
  ])('may name a persisted operation, without a query: %j', async (payload) => {
    const { events, close } = await sendOperation(payload);
    await subscribers(1);
    shop.feed.push('p1', 3);
    await eventually(() =>
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'next',
          payload: expect.objectContaining({ data: expect.anything() }),
        }),
      ),
    );
    close();
    await subscribers(0);
  });

  it.each([{}, { query: null }, { variables: { documentId: 'costs' } }, { extensions: {} }])(
    'are closed with 4400 for an operation without a query and a name: %j',
    async (payload) => {
      const { closed } = await sendOperation(payload);
      expect(await closed).toEqual([4400, 'Invalid message received']);
    },
  );

  it('run an operation that the client of graphql-ws only names', async () => {
    const client = connect({ authorization: `Bearer ${await identity.token({ scopes: ['costs:read'] })}` });
    const results = client.iterate({ query: '', documentId: 'costs' } as SubscribePayload);
    const first = results.next();
    await subscribers(1);
    shop.feed.push('p1', 4);
    expect(await first).toMatchObject({ value: { data: { priceChanged: { price: 4, cost: 1 } } } });
    await client.dispose();
    await subscribers(0);
  });

  it.each([undefined, { authorization: 'Bearer none' }])(
    'are closed with 4403 without a valid token: %j',
    async (connectionParams) => {
      const client = connect(connectionParams);
      await expect(ask(client, persisted)).rejects.toMatchObject({ code: 4403, reason: 'Forbidden' });
    },
  );
});

describe('A WebSocket without connection_init', () => {
  it('is closed with 4408', async () => {
    const webSockets = serveWebSockets({
      rules: () => ({
        serveWebSockets,
        graphPaths: ['/graphql'],
        allowsOrigin: () => false,
        maxMessageBytes: 1000,
        credentialFields: ['authorization'],
        checkCredentials: () => undefined,
      }),
      serve: () => {},
      logger: createLogger({ service: 'gateway', level: 'fatal' }),
      initTimeoutMs: 20,
    });
    const listener = createServer().on('upgrade', webSockets.upgrade);
    await using server = await listenOnLoopback(listener);
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    expect(await closeOf(socket)).toEqual([4408, 'Connection initialisation timeout']);
  });
});

describe('A gateway that stops', () => {
  it('ends its streams in order, and closes its WebSockets: clients come again, to another one', async () => {
    const stopping = new StopController();
    shop = await startStreamingShop({ stopping });
    const client = connect();
    const results = client.iterate({ query, variables });
    const first = results.next();
    await subscribers(1);
    const response = await shop.gateway.send({ query, variables }, { Accept: 'text/event-stream' });
    await subscribers(1);
    stopping.abort(new Error('stopping'));
    await expect(first).rejects.toMatchObject({ code: 1001 });
    // Without `complete`: the subscription goes on elsewhere.
    expect(await response.text()).toMatch(/^:\n\n(id: \d+\n\n)?$/);
    await subscribers(0);
    await shop.close();
  });
});
