import { once } from 'node:events';
import { PassThrough } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StopController } from '@meridian/cancellation';

import { receiveBody } from '../../src/exchange/read-body.ts';
import { createExampleApp } from '../fixtures/example-app.ts';
import { parseResponse, received, startExampleServer } from '../fixtures/example-server.ts';
import type { ExampleServer } from '../fixtures/example-server.ts';

const cap = 1_048_576;
let server: ExampleServer;

beforeAll(async () => {
  server = await startExampleServer();
});
afterAll(() => server.close());

describe('A body of exactly the cap', () => {
  it('is read when its length is declared', async () => {
    const response = await server.exchange(
      post({ 'Content-Length': String(cap), Connection: 'close' }, 'x'.repeat(cap)),
    );
    expect(parseResponse(response)).toMatchObject({ status: 201, body: String(cap) });
  });

  it('is read when it comes in chunks', async () => {
    const response = await server.exchange(
      post({ 'Transfer-Encoding': 'chunked', Connection: 'close' }, `${chunk(cap - 1)}${chunk(1)}0\r\n\r\n`),
    );
    expect(parseResponse(response)).toMatchObject({ status: 201, body: String(cap) });
  });
});

describe('A body one byte over the cap', () => {
  it.each([
    ['its length is declared', post({ 'Content-Length': String(cap + 1) }, 'x'.repeat(cap + 1))],
    ['it comes in chunks', post({ 'Transfer-Encoding': 'chunked' }, `${chunk(cap)}${chunk(1)}0\r\n\r\n`)],
  ])('is answered with 400 malformed-body when %s', async (_how, bytes) => {
    const { status, headers, body } = parseResponse(await server.exchange(bytes));
    expect(status).toBe(400);
    expect(headers.get('connection')).toBe('close');
    expect(JSON.parse(body)).toMatchObject({
      type: 'https://api.example/problems/malformed-body',
      status: 400,
    });
  });
});

describe('A body in 17 000 chunks of one byte', () => {
  it('is answered with 400 malformed-body', async () => {
    const bytes = post({ 'Transfer-Encoding': 'chunked' }, chunk(1).repeat(17_000));
    expect(parseResponse(await server.exchange(bytes)).status).toBe(400);
  });
});

describe('The pieces of a body', () => {
  async function receive(pieces: readonly Buffer[]): Promise<Buffer> {
    const stream = new PassThrough({ highWaterMark: cap });
    const body = receiveBody(stream, {
      maxBytes: cap,
      signal: new StopController(),
      isComplete: () => stream.readableEnded,
    });
    for (const piece of pieces) {
      stream.write(piece);
    }
    stream.end();
    return await body;
  }

  it.each([
    ['none', []],
    ['a few', [1, 1, 1]],
    ['long and short', [300, 5000, 1, 1, 5000, 4095, 4096, 1]],
    ['of the size of a block', [255, 1, 256, 257, 4095, 4095, 2, 2]],
    ['9000', Array.from({ length: 9000 }, (_, index) => index % 7)],
  ])('are joined in the order in which they come: %s', async (_which, lengths) => {
    const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1));
    expect((await receive(pieces)).equals(Buffer.concat(pieces))).toBe(true);
  });

  it.each([300, 5000])('are not copied where one of %d bytes is all', async (length) => {
    const piece = Buffer.alloc(length, 'x');
    expect((await receive([piece])).buffer).toBe(piece.buffer);
  });
});

describe('A client that is still sending when its request is refused', () => {
  it.each([
    ['a body over the cap', '/things', 'POST', 400],
    ['a body that no route reads', '/things/1', 'PUT', 428],
    ['a path without a route', '/nowhere', 'POST', 404],
    ['a trailing slash', '/things/', 'POST', 301],
  ])('receives the response for %s', async (_what, path, method, status) => {
    const socket = await server.connect();
    const response = received(socket);
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
    let sentBytes = 0;
    // Sends without looking at what comes back, as a client does that reads only when it has written everything.
    while (!socket.destroyed && sentBytes < 64 * cap) {
      sentBytes += 65_536;
      if (!socket.write(chunk(65_536))) {
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
      }
    }
    expect(parseResponse(await response).status).toBe(status);
    expect(sentBytes).toBeLessThan(64 * cap);
  });

  it('receives it though it writes far more at once than is drained', async () => {
    const socket = await server.connect();
    const response = received(socket);
    const bytes = 16 * cap;
    socket.write(`POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`);
    const startedMs = performance.now();
    socket.write(Buffer.alloc(bytes, 'x'));
    expect(parseResponse(await response).status).toBe(400);
    // Most clients read before a reset that follows at once, not all: the connection stays for a second.
    expect(performance.now() - startedMs).toBeGreaterThan(900);
  });

  it('is drained for at most a second when it stops sending without an end', async () => {
    const socket = await server.connect();
    const response = received(socket);
    socket.write(`PUT /things/1 HTTP/1.1\r\nHost: a\r\nContent-Length: ${2 * cap}\r\n\r\nx`);
    const startedMs = performance.now();
    expect(parseResponse(await response).status).toBe(428);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  it('keeps its connection when the rest of the body is short', async () => {
    const socket = await server.connect();
    const responses = received(socket);
    socket.write('PUT /things/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n');
    await once(socket, 'data');
    socket.write('bodyGET /things/2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect((await responses).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 428', 'HTTP/1.1 200']);
  });
});

describe('A client that does not finish its body', () => {
  it('gets 408 request-timeout at the deadline', async () => {
    const impatient = await startExampleServer(createExampleApp({ deadlineMs: 30 }));
    const response = await impatient.exchange(post({ 'Content-Length': '10' }, 'half'));
    await impatient.close();
    const { status, headers, body } = parseResponse(response);
    expect(status).toBe(408);
    expect(headers.get('connection')).toBe('close');
    expect(JSON.parse(body)).toMatchObject({ type: 'https://api.example/problems/request-timeout' });
  });

  it('is only logged when it hangs up', async () => {
    const abandoned = await startExampleServer();
    const socket = await abandoned.connect();
    socket.end(post({ 'Content-Length': '10' }, 'half'));
    expect(await received(socket)).toBe('');
    await abandoned.close();
    expect(abandoned.lines()).toContainEqual(
      expect.objectContaining({ msg: 'request', route: '/things', status: 499 }),
    );
    expect(abandoned.lines()).not.toContainEqual(expect.objectContaining({ level: 'error' }));
  });
});

function post(headers: Record<string, string>, body: string): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /things HTTP/1.1\r\nHost: a\r\n${head.join('')}\r\n${body}`;
}

function chunk(length: number): string {
  return `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`;
}
