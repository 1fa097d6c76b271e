import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, listenOnLoopback } from '@meridian/testing';

import { createSubgraphClient } from '../../src/index.ts';

import type { SentRequest } from '../support/send-to.ts';
import { sendTo } from '../support/send-to.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

describe('createSubgraphClient', () => {
  it('keeps connections', async () => {
    const { send, connections } = await startSubgraph((_request, response) => response.end('{}'));

    await send();
    await send();

    expect(connections).toHaveLength(1);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('decodes a response with the encoding %s', async (encoding, encode) => {
    const { send } = await startSubgraph((_request, response) => {
      response
        .writeHead(200, { 'Content-Encoding': encoding, 'Cache-Control': 'max-age=5' })
        .end(encode('{"data":"ä"}'));
    });

    expect(await send()).toEqual({
      text: Buffer.from('{"data":"ä"}'),
      cacheControl: 'max-age=5',
      status: 200,
    });
  });

  it('rejects a response that is over the cap once it is decoded', async () => {
    const { send } = await startSubgraph((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('0'.repeat(5000)));
    });

    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_MALFORMED_RESPONSE' });
  });

  it.each<[string, RequestListener, string]>([
    ['an endless body', (_request, response) => endless(response), 'SUBREQUEST_MALFORMED_RESPONSE'],
    [
      'a broken encoding',
      (_request, response) => void response.writeHead(200, { 'Content-Encoding': 'br' }).end('no'),
      'SUBREQUEST_MALFORMED_RESPONSE',
    ],
    [
      'an encoding that was not offered',
      (_request, response) => void response.writeHead(200, { 'Content-Encoding': 'zstd' }).end('no'),
      'SUBREQUEST_MALFORMED_RESPONSE',
    ],
    [
      'a status of 500',
      (_request, response) => void response.writeHead(500).end('{}'),
      'SUBREQUEST_HTTP_ERROR',
    ],
    [
      'a redirect',
      (_request, response) => void response.writeHead(302, { Location: '/elsewhere' }).end(),
      'SUBREQUEST_HTTP_ERROR',
    ],
    ['a reset', (request) => void request.socket.resetAndDestroy(), 'SUBREQUEST_HTTP_ERROR'],
    ['a truncated body', (_request, response) => truncate(response), 'SUBREQUEST_HTTP_ERROR'],
    ['silence', () => {}, 'GATEWAY_TIMEOUT'],
    [
      'silence in the body',
      (_request, response) => void response.writeHead(200).write('{'),
      'GATEWAY_TIMEOUT',
    ],
  ])('rejects for %s, and its connections are usable afterwards', async (_fault, httpResponse, code) => {
    let isFaulty = true;
    const { send } = await startSubgraph((request, response) =>
      isFaulty ? httpResponse(request, response) : response.end('{}'),
    );

    // A test of another fault must not fail because the machine is slow.
    const timeoutMs = code === 'GATEWAY_TIMEOUT' ? 200 : 10_000;
    await expect(send({ timeoutMs })).rejects.toMatchObject({ name: 'SubgraphFailure', code });
    isFaulty = false;
    await expect(send()).resolves.toMatchObject({ text: Buffer.from('{}') });
  });

  it("rejects with the status of a subgraph's error response", async () => {
    const { send } = await startSubgraph((_request, response) => void response.writeHead(503).end());

    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR', status: 503 });
  });

  it.each(['application/json', 'application/graphql-response+json; charset=utf-8'])(
    'rejects an error response with its body, where that may be a GraphQL response: %s',
    async (type) => {
      const { send, connections } = await startSubgraph((_request, response) => {
        const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
        response.writeHead(400, headers).end(gzipSync('{"errors":[]}'));
      });

      const failure = { code: 'SUBREQUEST_HTTP_ERROR', status: 400, body: Buffer.from('{"errors":[]}') };
      await expect(send()).rejects.toMatchObject(failure);
      await expect(send()).rejects.toMatchObject(failure);
      expect(connections).toHaveLength(1);
    },
  );

  it.each<[string, RequestListener]>([
    ['is of another media type', (_request, response) => void response.writeHead(400, text).end('{}')],
    ['is over the cap', (_request, response) => void response.writeHead(400, json).end('0'.repeat(5000))],
    ['is endless', (_request, response) => endless(response.writeHead(400, json))],
    [
      'is over the cap once it is decoded',
      (_request, response) =>
        void response.writeHead(400, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync('0'.repeat(5000))),
    ],
    [
      'cannot be decoded',
      (_request, response) => void response.writeHead(400, { ...json, 'Content-Encoding': 'br' }).end('no'),
    ],
  ])('rejects an error response with its status alone, where its body %s', async (_body, listener) => {
    const { send } = await startSubgraph(listener);

    await expect(send()).rejects.toMatchObject({
      code: 'SUBREQUEST_HTTP_ERROR',
      status: 400,
      body: undefined,
    });
  });

  describe('with the maximum of connections in use', () => {
    const maxConnections = 256;

    it('counts the wait for a connection as time of the request', async () => {
      const { send, requests } = await startFull();

      await expect(send({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'GATEWAY_TIMEOUT' });

      expect(requests).toHaveLength(maxConnections);
    });

    it('sends a waiting request once a connection is free', async () => {
      const { send, requests, connections, respondTo } = await startFull();

      const waiting = send({ timeoutMs: 60_000 });
      respondTo(0);
      await eventually(() => expect(requests).toHaveLength(maxConnections + 1));
      respondTo(maxConnections);

      await expect(waiting).resolves.toMatchObject({ text: Buffer.from('{}') });
      expect(connections).toHaveLength(maxConnections);
    });

    /** A subgraph that holds a request on every connection. */
    async function startFull() {
      const requests: (() => void)[] = [];
      const started = await startSubgraph((_request, response) => {
        requests.push(() => response.end('{}'));
      });
      const controller = new AbortController();
      const held = Array.from({ length: maxConnections }, () =>
        started.send({ timeoutMs: 60_000, signal: controller.signal }),
      );
      closing.unshift(() => {
        controller.abort();
        return Promise.allSettled(held);
      });
      await eventually(() => expect(requests).toHaveLength(maxConnections));
      return { ...started, requests, respondTo: (index: number) => requests[index]?.() };
    }
  });

  it('rejects when nothing listens', async () => {
    const { send, stop } = await startSubgraph((_request, response) => response.end('{}'));
    await stop();

    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
  });

  it.each(['', 'products', 'ftp://products/graphql'])(
    'rejects a target that is not an HTTP URL: %j',
    async (url) => {
      const client = createSubgraphClient();
      closing.push(() => client.close());

      await expect(sendTo(client, { url })).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
    },
  );

  it('aborts a request with its signal', async () => {
    const controller = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { send } = await startSubgraph((request) => {
      request.socket.on('close', () => resolve());
      controller.abort(new Error('gone'));
    });

    await expect(send({ signal: controller.signal })).rejects.toThrow('gone');
    await closed;
  });

  describe('on a kept connection that the subgraph closes before it responds', () => {
    it('sends a query again', async () => {
      const { send, requests } = await startStale();

      await send();
      await expect(send()).resolves.toMatchObject({ text: Buffer.from('{}') });

      expect(requests).toHaveLength(3);
    });

    it('does not send a mutation again', async () => {
      const { send, requests } = await startStale();

      await send();
      await expect(send({ operationKind: 'mutation' })).rejects.toMatchObject({
        code: 'SUBREQUEST_HTTP_ERROR',
      });

      expect(requests).toHaveLength(2);
    });

    it('does not send a query again after its first byte', async () => {
      const { send, requests } = await startStale((request) => {
        request.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{', () =>
          request.socket.destroy(),
        );
      });

      await send();
      await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });

      expect(requests).toHaveLength(2);
    });
  });

  it('does not send a query again that was lost on a new connection', async () => {
    const { send, connections } = await startSubgraph((request) => void request.socket.destroy());

    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });

    expect(connections).toHaveLength(1);
  });

  /** A subgraph that loses the second request of a connection, once. */
  async function startStale(
    lose: (request: IncomingMessage) => void = ({ socket }) => void socket.destroy(),
  ) {
    const requests: IncomingMessage[] = [];
    const started = await startSubgraph((request, response) => {
      requests.push(request);
      if (requests.length === 2) {
        lose(request);
      } else {
        response.end('{}');
      }
    });
    return { ...started, requests };
  }
});

async function startSubgraph(listener: RequestListener) {
  const client = createSubgraphClient();
  const connections: Socket[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => listener(request, response));
  });
  server.on('connection', (socket) => connections.push(socket));
  const listening = await listenOnLoopback(server);
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (!isStopped) {
      isStopped = true;
      await listening.close();
    }
  };
  closing.push(stop, () => client.close());
  return {
    connections,
    stop,
    send: ({ timeoutMs = 2000, ...request }: SentRequest & { readonly timeoutMs?: number } = {}) =>
      sendTo(client, { url: `${listening.url}/graphql`, timeoutMs }, request),
  };
}

const json = { 'Content-Type': 'application/json' };
const text = { 'Content-Type': 'text/html' };

function endless(response: Parameters<RequestListener>[1]): void {
  const more = (): boolean => response.write('0'.repeat(600), () => setImmediate(more));
  if (!response.headersSent) {
    response.writeHead(200);
  }
  more();
}

function truncate(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.socket?.destroy());
}
