import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, createSecureServer } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SubgraphRequest } from '@meridian/executor';
import { createSubgraphClient } from '@meridian/executor';
import { createSelfSignedCertificate } from '@meridian/testing';

import { sendTo } from '../support/send-to.ts';

const certificate = createSelfSignedCertificate();
const authorities = getCACertificates();
beforeAll(() => setDefaultCACertificates([...authorities, certificate.cert]));
afterAll(() => setDefaultCACertificates(authorities));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

function saysVersion(request: Http2ServerRequest, response: Http2ServerResponse): void {
  request.resume().on('end', () => response.end(JSON.stringify(request.httpVersion)));
}

/** Sends one request more than once, and counts the connections. */
async function start(server: Server, protocol: 'http' | 'https') {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => void sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createSubgraphClient();
  closing.push(async () => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    await client.close();
  });
  const sendFor = async (onFields: SubgraphRequest['onFields']): Promise<string> => {
    const { text } = await sendTo(
      client,
      {
        url: `${protocol}://127.0.0.1:${port}/graphql`,
        timeoutMs: 10_000,
        maxResponseBytes: 1000,
        isHttp2Required: true,
      },
      { body: '{}', headers: {}, signal: new AbortController().signal, operationKind: 'query', onFields },
    );
    return text.toString();
  };
  return { send: () => sendFor(undefined), sendFor, sockets };
}

describe('The client, when the target requires HTTP/2,', () => {
  it('speaks it without TLS, many requests over one connection', async () => {
    const { send, sockets } = await start(createServer(saysVersion), 'http');
    expect(await send()).toBe('"2.0"');
    expect(new Set(await Promise.all(Array.from({ length: 20 }, send)))).toEqual(new Set(['"2.0"']));
    expect(sockets).toHaveLength(1);
  });

  it('gives the header fields of a response, each cookie by itself, where they are asked for', async () => {
    const { sendFor } = await start(
      createServer((request, response) => {
        request.resume();
        response.setHeader('Set-Cookie', ['a=1', 'b=2']);
        response.end('{}');
      }),
      'http',
    );
    const received: unknown[] = [];
    await sendFor((fields) => received.push(...fields.filter(([name]) => name === 'set-cookie')));
    expect(received).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
  });

  it('speaks it over TLS', async () => {
    const { send } = await start(
      createSecureServer({ ...certificate, allowHTTP1: true }, saysVersion),
      'https',
    );
    expect(await send()).toBe('"2.0"');
  });

  it.each([
    ['http' as const, () => createHttpServer((_request, response) => void response.end('{}'))],
    ['https' as const, () => createHttpsServer(certificate, (_request, response) => void response.end('{}'))],
  ])('sends nothing over HTTP/1.1: %s', async (protocol, create) => {
    const { send } = await start(create(), protocol);
    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
  });
});
