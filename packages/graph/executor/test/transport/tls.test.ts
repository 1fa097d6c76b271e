import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';

import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSelfSignedCertificate } from '@meridian/testing';

import type { SubgraphTarget } from '../../src/index.ts';
import { createSubgraphClient } from '../../src/index.ts';
import type { SentRequest } from '../support/send-to.ts';
import { sendTo } from '../support/send-to.ts';

const certificate = createSelfSignedCertificate();
const closing: (() => Promise<unknown>)[] = [];
const authorities = getCACertificates('default');

beforeEach(() => setDefaultCACertificates([...authorities, certificate.cert]));
afterAll(() => setDefaultCACertificates(authorities));

afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

type Respond = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

const saysVersion: Respond = (request, response) => void response.end(JSON.stringify(request.httpVersion));

describe('The client, over TLS,', () => {
  it('speaks HTTP/1.1 unless the target allows more', async () => {
    const { send, sockets } = await start(saysVersion);

    expect([await send(), await send()]).toEqual(['"1.1"', '"1.1"']);
    expect(sockets).toHaveLength(1);
  });

  it('rejects a certificate of an unknown authority', async () => {
    setDefaultCACertificates(authorities);
    const { send } = await start(saysVersion);

    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
    await expect(send({ isHttp2Allowed: true })).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
  });

  const saysVersionLast: Respond = (request, response) => {
    // HTTP/2 has no such field.
    response.setHeader('Connection', 'close');
    saysVersion(request, response);
  };

  it('sends the host of the request, and checks the certificate against the URL', async () => {
    const saysHost: Respond = ({ headers }, response) =>
      void response.end(JSON.stringify(headers.host ?? headers[':authority']));
    const { send } = await start(saysHost);
    const headers = { host: 'shop.example' };

    expect(await send({ headers })).toBe('"shop.example"');
    expect(await send({ headers, isHttp2Allowed: true })).toBe('"shop.example"');
  });

  it('resumes the last session when it connects again', async () => {
    const { send, resumptions } = await start(saysVersionLast);

    expect([await send(), await send(), await send()]).toEqual(['"1.1"', '"1.1"', '"1.1"']);

    expect(resumptions).toEqual([false, true, true]);
  });

  it('starts a new session when the subgraph has forgotten the last one', async () => {
    const { send, resumptions, forgetSessions } = await start(saysVersionLast);

    await send();
    forgetSessions();

    expect([await send(), await send()]).toEqual(['"1.1"', '"1.1"']);
    expect(resumptions).toEqual([false, false, true]);
  });
});

describe('The client, when the target allows HTTP/2,', () => {
  it('sends many requests over one connection to a subgraph that offers it', async () => {
    const { send, sockets } = await start(saysVersion);

    expect(await send({ isHttp2Allowed: true })).toBe('"2.0"');
    const more = await Promise.all(Array.from({ length: 20 }, () => send({ isHttp2Allowed: true })));

    expect(new Set(more)).toEqual(new Set(['"2.0"']));
    expect(sockets).toHaveLength(1);
  });

  it('speaks HTTP/1.1 to a subgraph that does not offer it, with the HTTP/1.1 client once that is known', async () => {
    const clients: ('http1' | 'undici')[] = [];
    const server = createHttpsServer(certificate, ({ httpVersion, headers }, response) => {
      // The HTTP/1.1 client leaves it unsaid.
      clients.push(headers.connection === undefined ? 'http1' : 'undici');
      response.end(JSON.stringify(httpVersion));
    });
    const { send } = await listen(server, 'https');

    for (let time = 0; time < 4; time += 1) {
      expect(await send({ isHttp2Allowed: true })).toBe('"1.1"');
    }

    expect(clients).toEqual(['undici', 'http1', 'http1', 'http1']);
  });

  it.each<[string, Respond, string]>([
    [
      'a status of 500',
      (_request, response) => void response.writeHead(500).end('{}'),
      'SUBREQUEST_HTTP_ERROR',
    ],
    [
      'a status of 400, with JSON over the cap',
      (_request, response) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end('0'.repeat(5000)),
      'SUBREQUEST_HTTP_ERROR',
    ],
    [
      'a redirect',
      (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      'SUBREQUEST_HTTP_ERROR',
    ],
    [
      'a broken encoding',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('no'),
      'SUBREQUEST_MALFORMED_RESPONSE',
    ],
    ['a stream that is reset', (_request, response) => response.stream.close(2), 'SUBREQUEST_HTTP_ERROR'],
    ['a connection that ends', (request) => request.stream.session?.destroy(), 'SUBREQUEST_HTTP_ERROR'],
    [
      'a body over the cap',
      (_request, response) => void response.end('0'.repeat(5000)),
      'SUBREQUEST_MALFORMED_RESPONSE',
    ],
    ['silence', () => {}, 'GATEWAY_TIMEOUT'],
    ['silence in the body', (_request, response) => void response.write('{'), 'GATEWAY_TIMEOUT'],
  ])('rejects one request for %s, and the next one succeeds', async (_fault, httpResponse, code) => {
    let isFaulty = true;
    const { send } = await start((request, response) =>
      isFaulty ? httpResponse(request, response) : saysVersion(request, response),
    );

    // A test of another fault must not fail because the machine is slow.
    const timeoutMs = code === 'GATEWAY_TIMEOUT' ? 300 : 10_000;
    await expect(send({ isHttp2Allowed: true, timeoutMs })).rejects.toMatchObject({ code });
    isFaulty = false;
    expect(await send({ isHttp2Allowed: true })).toBe('"2.0"');
  });

  it('rejects an error response with its body, where that may be a GraphQL response', async () => {
    const { send } = await start((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{"errors":[]}'));
    });

    await expect(send({ isHttp2Allowed: true })).rejects.toMatchObject({
      code: 'SUBREQUEST_HTTP_ERROR',
      status: 401,
      body: Buffer.from('{"errors":[]}'),
    });
  });

  it('aborts a request with its signal, and the others go on', async () => {
    const controller = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const held: (() => void)[] = [];
    const { send } = await start((request, response) => {
      held.push(() => saysVersion(request, response));
      if (held.length === 1) {
        response.stream.on('close', resolve);
      } else {
        controller.abort(new Error('gone'));
      }
    });
    const first = send({ isHttp2Allowed: true, signal: controller.signal });
    const second = send({ isHttp2Allowed: true });

    await expect(first).rejects.toThrow('gone');
    await closed;
    held[1]?.();
    expect(await second).toBe('"2.0"');
  });
});

describe('The client, when the target requires HTTP/2,', () => {
  it('speaks it without TLS, many requests over one connection', async () => {
    const { send, sockets } = await listen(createServer(wholly(saysVersion)), 'http');
    const sendOverHttp2 = (): Promise<string> => send({ isHttp2Required: true });

    expect(await sendOverHttp2()).toBe('"2.0"');
    const more = await Promise.all(Array.from({ length: 20 }, sendOverHttp2));

    expect(new Set(more)).toEqual(new Set(['"2.0"']));
    expect(sockets).toHaveLength(1);
  });

  it('gives the header fields of a response, each cookie by itself, where they are asked for', async () => {
    const setsCookies: Respond = (_request, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.end('{}');
    };
    const { send } = await listen(createServer(wholly(setsCookies)), 'http');
    const received: unknown[] = [];
    await send({
      isHttp2Required: true,
      onFields: (fields) => received.push(...fields.filter(([name]) => name === 'set-cookie')),
    });

    expect(received).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
  });

  it('speaks it over TLS', async () => {
    const { send } = await start(saysVersion);

    expect(await send({ isHttp2Required: true })).toBe('"2.0"');
  });

  it.each([
    ['http' as const, () => createHttpServer((_request, response) => void response.end('{}'))],
    ['https' as const, () => createHttpsServer(certificate, (_request, response) => void response.end('{}'))],
  ])('sends nothing over HTTP/1.1: %s', async (protocol, create) => {
    const { send } = await listen(create(), protocol);

    await expect(send({ isHttp2Required: true })).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
  });
});

function wholly(respond: Respond): Respond {
  return (request, response) => void request.resume().on('end', () => respond(request, response));
}

/** Listens over TLS, with HTTP/2 and HTTP/1.1. */
async function start(respond: Respond) {
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, wholly(respond));
  const resumptions: boolean[] = [];
  server.on('secureConnection', (socket: TLSSocket) => void resumptions.push(socket.isSessionReused()));
  return {
    ...(await listen(server, 'https')),
    resumptions,
    forgetSessions: () => server.setTicketKeys(randomBytes(48)),
  };
}

type SendOptions = SentRequest &
  Partial<Pick<SubgraphTarget, 'isHttp2Allowed' | 'isHttp2Required' | 'timeoutMs'>>;

async function listen(server: Server, protocol: 'http' | 'https') {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => void sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createSubgraphClient();
  closing.push(
    async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise<unknown>((resolve) => void server.close(resolve));
    },
    () => client.close(),
  );
  return {
    sockets,
    send: async ({
      isHttp2Allowed,
      isHttp2Required,
      timeoutMs = 10_000,
      ...request
    }: SendOptions = {}): Promise<string> => {
      const url = `${protocol}://127.0.0.1:${port}/graphql`;
      const target = {
        url,
        timeoutMs,
        ...(isHttp2Allowed !== undefined && { isHttp2Allowed }),
        ...(isHttp2Required !== undefined && { isHttp2Required }),
      };
      const { text } = await sendTo(client, target, request);
      return text.toString();
    },
  };
}
