// The connections to coprocessors: TLS, versions of HTTP, and one that never answers a TLS handshake.
import { once } from 'node:events';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSelfSignedCertificate } from '@meridian/testing';

import type { CoprocessorClient } from '../../src/coprocessor/coprocessor-client.ts';
import { createCoprocessorClient } from '../../src/coprocessor/coprocessor-client.ts';

type Http2Use = 'disable' | 'enable' | 'http2only';

function clientWith(timeout: number, http2: Http2Use = 'enable'): CoprocessorClient {
  return createCoprocessorClient({
    timeout,
    client: {
      dns_resolution_strategy: 'ipv4_only',
      experimental_http2: http2,
      experimental_http2_keep_alive_interval: undefined,
      pool_idle_timeout: 5000,
    },
  });
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

type Posting = Readable & { readonly httpVersion: string };

describe('A coprocessor', () => {
  const usual = getCACertificates('default');
  const certificate = createSelfSignedCertificate();
  const signal = new AbortController().signal;
  beforeAll(() => setDefaultCACertificates([...usual, certificate.cert]));
  afterAll(() => setDefaultCACertificates(usual));

  const echo = (request: Posting, response: { end(said: string): unknown }): void =>
    void text(request).then((body) => response.end(`${request.httpVersion} ${body}`));
  const servers = {
    'https with HTTP/1.1': () => createHttpsServer(certificate, echo),
    'https with both': () => createSecureServer({ ...certificate, allowHTTP1: true }, echo),
    'http with HTTP/2': () => createHttp2Server(echo),
  };

  it.each<[keyof typeof servers, Http2Use, string]>([
    ['https with HTTP/1.1', 'disable', '1.1'],
    ['https with HTTP/1.1', 'enable', '1.1'],
    ['https with both', 'disable', '1.1'],
    ['https with both', 'enable', '2.0'],
    ['https with both', 'http2only', '2.0'],
    ['http with HTTP/2', 'http2only', '2.0'],
  ])('at %s, with %s, is called over HTTP/%s, many times at once', async (name, http2, version) => {
    const server = servers[name]();
    const url = `${name.split(' ')[0]}://127.0.0.1:${await portOf(server)}`;
    const client = clientWith(10_000, http2);
    const bodies = Array.from({ length: 120 }, (_, index) => String(index).repeat(2000));
    for (let round = 0; round < 2; round += 1) {
      const said = await Promise.all(bodies.map((body) => client.post(url, body, { headers: {}, signal })));
      expect(said).toEqual(bodies.map((body) => `${version} ${body}`));
    }
    await client.close();
    server.close();
  });

  it.each(['destroy', 'resetAndDestroy'] as const)(
    'is sent a message again that came to a closed connection (%s)',
    async (close) => {
      const connections = new Set<Socket>();
      const server = createServer((socket) => {
        connections.add(socket);
        const isClosing = connections.size <= 2;
        let messages = 0;
        socket
          .on('error', () => {})
          .on('data', () => {
            messages += 1;
            if (isClosing && messages === 2) {
              socket[close]();
            } else {
              socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
            }
          });
      });
      const url = `http://127.0.0.1:${await portOf(server)}`;
      const client = clientWith(10_000, 'disable');
      const post = (): Promise<string> => client.post(url, '-', { headers: {}, signal });
      await Promise.all([post(), post()]);
      expect([await post(), await post(), await post()]).toEqual(['{}', '{}', '{}']);
      expect(connections.size).toBeGreaterThan(2);
      await client.close();
      server.close();
    },
  );

  it.each(['destroy', 'resetAndDestroy'] as const)(
    'is sent a message once that closes a new connection (%s)',
    async (close) => {
      let messages = 0;
      const server = createServer((socket) => {
        socket
          .on('error', () => {})
          .on('data', () => {
            messages += 1;
            socket[close]();
          });
      });
      const url = `http://127.0.0.1:${await portOf(server)}`;
      const client = clientWith(10_000, 'disable');
      await expect(client.post(url, '-', { headers: {}, signal })).rejects.toThrow(/closed|ECONNRESET/u);
      expect(messages).toBe(1);
      await client.close();
      server.close();
    },
  );

  it('without HTTP/2 fails the request where nothing else may be used', async () => {
    const server = servers['https with HTTP/1.1']();
    const url = `https://127.0.0.1:${await portOf(server)}`;
    const client = clientWith(10_000, 'http2only');
    await expect(client.post(url, '{}', { headers: {}, signal })).rejects.toThrow('does not offer HTTP/2');
    await client.close();
    server.close();
  });

  it('with a certificate that nothing vouches for gets no message', async () => {
    let requests = 0;
    const server = createHttpsServer(createSelfSignedCertificate(), () => (requests += 1));
    const url = `https://127.0.0.1:${await portOf(server)}`;
    const client = clientWith(10_000);
    await expect(client.post(url, '{}', { headers: {}, signal })).rejects.toThrow('self-signed certificate');
    expect(requests).toBe(0);
    await client.close();
    server.close();
  });
});

describe('A request to a coprocessor that never finishes connecting', () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).resume();
  });
  let url: string;
  beforeAll(async () => {
    url = `https://127.0.0.1:${await portOf(server)}`;
  });
  afterAll(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });

  it('fails at its time, and does not hold up the end of its configuration', async () => {
    const client = clientWith(100);
    const signal = new AbortController().signal;
    await expect(client.post(url, '{}', { headers: {}, signal })).rejects.toThrow(
      'no response within 100 ms',
    );
    await client.close();
  });

  it('ends with its own request', async () => {
    const client = clientWith(60_000);
    const leaving = new AbortController();
    const post = client.post(url, '{}', { headers: {}, signal: leaving.signal });
    leaving.abort(new Error('the client left'));
    await expect(post).rejects.toThrow('the client left');
  });
});
