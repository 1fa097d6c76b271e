// Connections with certificates of their own, and over Unix domain sockets: each way to call a subgraph.
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp2Server } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Front, MutualTls } from '@meridian/testing';
import { createSelfSignedCertificate, eventually, listenOnLoopback, startFront } from '@meridian/testing';

import type { Peer, SubgraphTarget } from '../../src/index.ts';
import { createSubgraphClient, readServerUrl } from '../../src/index.ts';
import type { EventSource } from '../../src/subscriptions.ts';
import { createStreamAgent } from '../../src/subscriptions.ts';
import { startGraphqlSsePeer, startWebSocketPeer } from '../subscriptions/peers.ts';
import { PriceFeed } from '../subscriptions/price-feed.ts';
import { overSse, overWebSocket } from '../subscriptions/price-sources.ts';
import { dataOf, startStreamingFederation, take } from '../subscriptions/streaming-federation.ts';
import { sendTo } from '../support/send-to.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) {
    await close();
  }
});

function createTls(): MutualTls {
  return { server: createSelfSignedCertificate(), client: createSelfSignedCertificate() };
}

/** For a client of this server. */
function contextOf({ server, client }: MutualTls) {
  return createSecureContext({ ca: server.cert, ...client });
}

function fingerprintOf({ client }: MutualTls): string {
  return new X509Certificate(client.cert).fingerprint256;
}

async function startEcho(): Promise<string> {
  const server = await listenOnLoopback((request, response) => {
    // So that each request has a connection of its own.
    response.setHeader('connection', 'close');
    response.end(JSON.stringify([request.url, request.headers.host]));
  });
  closing.push(() => server.close());
  return server.url;
}

async function front(target: string, at: Parameters<typeof startFront>[1]): Promise<Front> {
  const started = await startFront(target, at);
  closing.push(() => started.close());
  return started;
}

function createSend(target: Pick<SubgraphTarget, 'url'> & Partial<SubgraphTarget>) {
  const client = createSubgraphClient();
  closing.push(() => client.close());
  return async (): Promise<string> => {
    const { text } = await sendTo(client, target);
    return text.toString();
  };
}

async function socketPath(name = 'subgraph.sock'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-socket-'));
  closing.push(() => rm(directory, { recursive: true }));
  return join(directory, name);
}

type Send = (peer: { readonly url: string } & Peer) => () => Promise<string>;

const overAgent: Send = ({ url, ...peer }) => {
  const agent = createStreamAgent(peer);
  closing.push(() => agent.destroy());
  const { origin, pathname: path } = new URL(url);
  return async () => {
    const { body } = await agent.request({ origin, path, method: 'POST' });
    return await body.text();
  };
};

describe.each<[string, Send, readonly boolean[]]>([
  ['HTTP/1.1', createSend, [false, true, false, true]],
  // It is the other client that sends the second one with the same certificates.
  ['HTTP/2 allowed', (peer) => createSend({ ...peer, isHttp2Allowed: true }), [false, false, false, false]],
  ['streams', overAgent, [false, true, false, true]],
])('A target with certificates of its own: %s', (_name, create, resumptions) => {
  it('is trusted by them alone, and shown the certificate of this side', async () => {
    const tls = createTls();
    const { port, shown } = await front(await startEcho(), tls);
    const url = `https://127.0.0.1:${port}/graphql`;
    const send = create({ url, tls: { current: contextOf(tls) } });

    expect(await send()).toContain('/graphql');
    expect(shown).toEqual([fingerprintOf(tls)]);

    for (const context of [{}, { ca: tls.server.cert }, { ca: tls.client.cert, ...tls.client }]) {
      const other = create({ url, tls: { current: createSecureContext(context) } });
      await expect(other()).rejects.toThrow(Error);
    }
  });

  it('gets the current certificate on each new connection, also where a session could be resumed', async () => {
    const tls = createTls();
    const next = { ...tls, client: createSelfSignedCertificate() };
    const { port, shown, resumed } = await front(await startEcho(), { server: tls.server });
    const held = { current: contextOf(tls) };
    const send = create({ url: `https://127.0.0.1:${port}/graphql`, tls: held });
    await send();
    await send();
    held.current = contextOf(next);
    await send();
    await send();

    expect(shown).toEqual([tls, tls, next, next].map(fingerprintOf));
    expect(resumed).toEqual(resumptions);
  });
});

describe('Kept connections', () => {
  it.each([false, true])('end when the certificates change; HTTP/2 allowed: %s', async (isHttp2Allowed) => {
    const server = await listenOnLoopback((_, response) => response.end('{}'));
    closing.push(() => server.close());
    const tls = createTls();
    const next = { ...tls, client: createSelfSignedCertificate() };
    const { port, shown } = await front(server.url, { server: tls.server });
    const held = { current: contextOf(tls) };
    const send = createSend({ url: `https://127.0.0.1:${port}/`, tls: held, isHttp2Allowed });
    await send();
    await send();
    await send();
    const before = shown.length;
    held.current = contextOf(next);
    await send();

    expect(shown.slice(before)).toEqual([fingerprintOf(next)]);
  });
});

describe('A target at a Unix domain socket', () => {
  it.each([
    ['HTTP/1.1', {}],
    ['what HTTP/1.1 and HTTP/2 allow', { isHttp2Allowed: true }],
  ])('gets requests: %s', async (_version, allowed) => {
    const path = await socketPath();
    await front(await startEcho(), path);
    const place = readServerUrl(`unix://${path}?path=/graphql?a=b`);
    expect(place).toEqual({ url: 'http://localhost/graphql?a=b', socketPath: path });
    const send = createSend({ url: '', ...place, ...allowed });

    expect([await send(), await send()]).toEqual(Array(2).fill('["/graphql?a=b","localhost"]'));
    await expect(
      createSend({ url: 'http://localhost/', socketPath: `${path}.gone` })(),
    ).rejects.toMatchObject({
      code: 'SUBREQUEST_HTTP_ERROR',
    });
  });

  it('gets requests over HTTP/2, where only that is used', async () => {
    const path = await socketPath();
    const server = createHttp2Server((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify(request.httpVersion)));
    });
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    closing.push(() => new Promise((resolve) => void server.close(resolve)));
    const send = createSend({ url: 'http://localhost/', socketPath: path, isHttp2Required: true });

    expect(await send()).toBe('"2.0"');
  });
});

// As Apollo Router 2.17 reads them: src/services/mod.rs, parse_unix_socket_url.
describe.each([
  ['unix:///tmp/a.sock', '/tmp/a.sock', '/'],
  ['unix:///tmp/a.sock?path=/api/v1', '/tmp/a.sock', '/api/v1'],
  ['unix:///tmp/a.sock?other=value&path=/api/v1&another=x', '/tmp/a.sock', '/api/v1'],
  ['unix:///tmp/a.sock?other=value', '/tmp/a.sock', '/'],
  ['unix:///tmp/a.sock?', '/tmp/a.sock', '/'],
  ['unix:///tmp/a.sock?path', '/tmp/a.sock', '/'],
  ['unix:///tmp/a.sock?path=no_leading_slash', '/tmp/a.sock', '/no_leading_slash'],
  ['unix://relative/a.sock', 'relative/a.sock', '/'],
])('The URL %s', (url, path, requested) => {
  it('is a path of a socket, and a path of requests', () => {
    expect(readServerUrl(url)).toEqual({ url: `http://localhost${requested}`, socketPath: path });
  });
});

describe('Any other text', () => {
  it.each(['ftp://a.example/', 'unix://', 'unix:///a?path=http://[', 'graphql', ''])(
    'is not the URL of a server: %j',
    (url) => {
      expect(readServerUrl(url)).toBeUndefined();
    },
  );
});

function overSseWith({ url, ...peer }: Peer & { url: string }): EventSource {
  const agent = createStreamAgent(peer);
  closing.push(() => agent.destroy());
  return overSse({ url }, agent);
}

describe.each([
  ['a WebSocket', startWebSocketPeer, overWebSocket],
  ['server-sent events', startGraphqlSsePeer, overSseWith],
])('A subscription over %s', (_name, startPeer, sourceOf) => {
  it.each([
    ['TLS', ''],
    ['a Unix domain socket', 'a.sock'],
    ['a Unix domain socket with a path that a URL cannot have', 'ä: b.sock'],
  ])('has its events over %s', async (transport, socketName) => {
    const feed = new PriceFeed();
    const streams = await startPeer({ feed });
    closing.push(() => streams.stop());
    const tls = createTls();
    const path = await socketPath(socketName);
    const { port, shown } = await front(streams.url, transport === 'TLS' ? tls : path);
    const federation = await startStreamingFederation(
      sourceOf(
        transport === 'TLS'
          ? { url: `https://127.0.0.1:${port}/graphql`, tls: { current: contextOf(tls) } }
          : { url: 'http://localhost/graphql', socketPath: path },
      ),
    );
    closing.push(() => federation.close());
    const stream = await federation.subscribe('subscription { priceChanged(id: "p1") { price } }');
    await eventually(() => expect(feed.followers).toBe(1));
    feed.publish('p1', 10);

    expect(dataOf(await take(stream, 1))).toEqual([{ priceChanged: { price: 10 } }]);
    expect(shown).toEqual(transport === 'TLS' ? [fingerprintOf(tls)] : []);
  });
});
