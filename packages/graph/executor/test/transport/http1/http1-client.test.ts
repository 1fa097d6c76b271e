// Tests how this package's own client reads responses and writes requests, byte for byte. transport.test.ts
// has its behaviour with correct subgraphs.
import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from '@jest/globals';

import { createSubgraphClient } from '../../../src/index.ts';

import type { SentRequest } from '../../support/send-to.ts';
import { sendTo } from '../../support/send-to.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"fine"';
const chunked = (rest: string): string => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${rest}`;
const withFields = (fields: string): string => `HTTP/1.1 200 OK\r\n${fields}\r\n\r\n"fine"`;

describe('The HTTP/1.1 client', () => {
  it.each([
    ['with a length', fine],
    ['with a length among spaces', withFields('content-length: \t6 ')],
    ['without a reason', 'HTTP/1.1 200\r\nContent-Length: 6\r\n\r\n"fine"'],
    ['with a reason in Latin-1', 'HTTP/1.1 200 d\xe4nke\r\nContent-Length: 6\r\n\r\n"fine"'],
    ['with an empty field', withFields('X-Empty:\r\nContent-Length: 6')],
    ['with one chunk', chunked('6\r\n"fine"\r\n0\r\n\r\n')],
    ['with several chunks', chunked('1\r\n"\r\n4\r\nfine\r\n1\r\n"\r\n000\r\n\r\n')],
    ['with extensions of chunks', chunked('6;a=b;c="d e"\r\n"fine"\r\n0;last\r\n\r\n')],
    ['with trailers', chunked('6\r\n"fine"\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\n\r\n')],
    [
      'after interim ones',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${fine}`,
    ],
  ])('reads a response, in one piece or byte by byte, and keeps its connection: %s', async (_case, bytes) => {
    const { send, connections } = await startRaw([bytes, byteByByte(bytes), bytes]);

    for (let time = 0; time < 3; time += 1) {
      expect(await send()).toBe('"fine"');
    }

    expect(connections).toHaveLength(1);
  });

  it.each([
    ['that ends with the connection', endsWith('HTTP/1.1 200 OK\r\n\r\n"fine"')],
    ['of HTTP/1.0', endsWith('HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\n"fine"')],
    ['that says that it is the last', withFields('Connection: Keep-Alive, CLOSE\r\nContent-Length: 6')],
    ['whose connection is kept for no time', withFields('Keep-Alive: timeout=1, max=5\r\nContent-Length: 6')],
  ])('reads a response, and takes another connection for the next one: %s', async (_case, response) => {
    const { send, connections } = await startRaw([response, fine]);

    expect(await send()).toBe('"fine"');
    expect(await send()).toBe('"fine"');

    expect(connections).toHaveLength(2);
  });

  it.each([
    ['a bare line feed after the status', 'HTTP/1.1 200 OK\nContent-Length: 6\r\n\r\n"fine"'],
    ['a bare line feed after a field', withFields('X-A: 1\nContent-Length: 6')],
    ['a bare carriage return in a field', withFields('X-A: 1\rX-B: 2\r\nContent-Length: 6')],
    ['a NUL in a field', withFields('X-A: 1\0\r\nContent-Length: 6')],
    ['a folded field', withFields('X-A: 1\r\n 2\r\nContent-Length: 6')],
    ['a space before the colon', withFields('Content-Length : 6')],
    ['a field without a name', withFields(': 1\r\nContent-Length: 6')],
    ['a field without a colon', withFields('Content-Length 6')],
    ['two lengths', withFields('Content-Length: 6\r\nContent-Length: 7')],
    ['the same length twice', withFields('Content-Length: 6\r\nContent-Length: 6')],
    ['a list of lengths', withFields('Content-Length: 6, 6')],
    ['a length with a sign', withFields('Content-Length: +6')],
    ['a length in hexadecimal', withFields('Content-Length: 0x6')],
    ['a length of nothing', withFields('Content-Length:')],
    ['a length out of range', withFields('Content-Length: 99999999999999999999')],
    ['a length and chunks', withFields('Content-Length: 6\r\nTransfer-Encoding: chunked')],
    ['chunks twice', withFields('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked')],
    ['another transfer coding', withFields('Transfer-Encoding: gzip, chunked')],
    ['almost chunks', withFields('Transfer-Encoding: xchunked')],
    ['a transfer coding of none', withFields('Transfer-Encoding: identity\r\nContent-Length: 6')],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n"fine"\r\n0\r\n\r\n'],
    ['another version', 'HTTP/2.0 200 OK\r\nContent-Length: 6\r\n\r\n"fine"'],
    ['a status of two digits', 'HTTP/1.1 99 OK\r\nContent-Length: 6\r\n\r\n"fine"'],
    ['a status that is not a number', 'HTTP/1.1 2oo OK\r\nContent-Length: 6\r\n\r\n"fine"'],
    ['an empty line first', `\r\n${fine}`],
    ['a switch of protocols', `HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n${fine}`],
    ['interim answers without an end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9) + fine],
    ['a body that its status excludes', 'HTTP/1.1 204 No Content\r\nContent-Length: 6\r\n\r\n"fine"'],
    ['a chunk of no size', chunked('\r\n"fine"\r\n0\r\n\r\n')],
    ['a chunk of a size with a prefix', chunked('0x6\r\n"fine"\r\n0\r\n\r\n')],
    ['a chunk of a size with a space', chunked('6 \r\n"fine"\r\n0\r\n\r\n')],
    ['a chunk of a negative size', chunked('-6\r\n"fine"\r\n0\r\n\r\n')],
    ['a chunk size out of range', chunked('fffffffffffffffff\r\n"fine"\r\n0\r\n\r\n')],
    ['a bare line feed after a chunk size', chunked('6\n"fine"\r\n0\r\n\r\n')],
    ['a bare carriage return after a chunk size', chunked('6;a\rb\r\n"fine"\r\n0\r\n\r\n')],
    ['a chunk that is too long', chunked('6\r\n"fine"!\r\n0\r\n\r\n')],
    ['a chunk size without an end', chunked(`6;${'a'.repeat(5000)}`)],
    ['a trailer that is not a field', chunked('6\r\n"fine"\r\n0\r\n folded\r\n\r\n')],
    ['trailers without an end', chunked(`6\r\n"fine"\r\n0\r\n${'X-A: 1\r\n'.repeat(20_000)}`)],
    ['a head that is too large', withFields(`X-A: ${'a'.repeat(70_000)}\r\nContent-Length: 6`)],
  ])('rejects a response and closes its connection, when it has %s', async (_case, bytes) => {
    const { send, connections } = await startRaw([bytes, fine]);

    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });

    await closed(connections[0]);
    expect(await send()).toBe('"fine"');
  });

  it('reads responses in pieces that end anywhere, on several connections at once', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(90));
    const { send, connections } = await startRaw(
      texts.map((text, index) =>
        byteByByte(
          index % 2 === 0
            ? `HTTP/1.1 200 OK\r\nX-Text: ${text}\r\nContent-Length: 90\r\n\r\n${text}`
            : chunked(`28\r\n${text.slice(0, 40)}\r\n32\r\n${text.slice(40)}\r\n0\r\n\r\n`),
        ),
      ),
    );

    const responses = await Promise.all(texts.map(() => send()));

    expect(responses.toSorted()).toEqual(texts);
    expect(connections).toHaveLength(8);
  });

  it('never takes a response without a request for the next one', async () => {
    const { send, connections } = await startRaw([
      `${fine}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"no"`,
      fine,
    ]);

    expect(await send()).toBe('"fine"');
    await closed(connections[0]);
    expect(await send()).toBe('"fine"');
  });

  it('never takes a late response for the next one', async () => {
    const { send, connections } = await startRaw([
      (socket) =>
        void socket.write(fine, () => setImmediate(() => socket.write(fine.replace('fine', 'late')))),
      fine,
    ]);

    expect(await send()).toBe('"fine"');
    await closed(connections[0]);
    expect(await send()).toBe('"fine"');
  });

  it('closes the connection when a response comes before the end of its request', async () => {
    const { send, connections } = await startRaw(
      [(socket) => void socket.pause().write(fine), fine],
      (received) => received.startsWith('POST'),
    );

    expect(await send({ body: 'x'.repeat(20_000_000) })).toBe('"fine"');
    connections[0]?.resume();
    await closed(connections[0]);
    expect(await send()).toBe('"fine"');
  });

  it('leaves no listener on the signals of requests that have ended, or were aborted', async () => {
    const { send } = await startRaw(Array.from({ length: 1000 }, () => fine));
    const shared = new AbortController();
    await Promise.all(Array.from({ length: 1000 }, () => send({ signal: shared.signal })));
    expect(getEventListeners(shared.signal, 'abort').length).toBe(0);

    const aborted = Array.from({ length: 1000 }, () => send({ signal: shared.signal }));
    expect(getEventListeners(shared.signal, 'abort').length).toBe(1000);
    shared.abort(new Error('the client has gone'));
    await Promise.allSettled(aborted);
    expect(getEventListeners(shared.signal, 'abort').length).toBe(0);
  });

  it('keeps the connection after an error response with a complete body', async () => {
    const { send, connections } = await startRaw([fine.replace('200 OK', '503 No'), fine]);

    await expect(send()).rejects.toMatchObject({ code: 'SUBREQUEST_HTTP_ERROR' });
    expect(await send()).toBe('"fine"');

    expect(connections).toHaveLength(1);
  });
});

describe('The HTTP/1.1 client whose kept connections are all lost at once', () => {
  it('sends the first query again on a new connection, on which the next ones go as well', async () => {
    const { send, connections, loseConnections } = await startLossy(5);

    loseConnections();
    for (let time = 0; time < 8; time += 1) {
      expect(await send()).toBe('"fine"');
    }

    expect(connections).toHaveLength(5 + 1);
  });

  it('sends parallel queries again, also when all of its connections are in use and more queries wait', async () => {
    const { send, loseConnections } = await startLossy(256);

    loseConnections();
    const responses = await Promise.all(Array.from({ length: 300 }, () => send()));

    expect(new Set(responses)).toEqual(new Set(['"fine"']));
  });

  it('rejects the first mutation only', async () => {
    const { send, loseConnections } = await startLossy(5);

    loseConnections();
    await expect(send({ operationKind: 'mutation' })).rejects.toMatchObject({
      code: 'SUBREQUEST_HTTP_ERROR',
    });

    for (let time = 0; time < 5; time += 1) {
      expect(await send({ operationKind: 'mutation' })).toBe('"fine"');
    }
  });

  it('keeps the connections that have responded since', async () => {
    const { send, connections, loseConnections } = await startLossy(2);

    loseConnections();
    // The second of them fails after the first was replaced.
    await Promise.all([send(), send()]);
    await Promise.all([send(), send()]);

    expect(connections).toHaveLength(2 + 2);
  });

  it('keeps the others when a request on one of them is aborted', async () => {
    const { send, connections } = await startLossy(3);
    const controller = new AbortController();

    const aborted = send({ signal: controller.signal });
    controller.abort(new Error('the client has gone'));
    await expect(aborted).rejects.toThrow('the client has gone');
    await Promise.all([send(), send()]);

    expect(connections).toHaveLength(3);
  });
});

describe('A request of the HTTP/1.1 client', () => {
  it('has its length, its host and what it accepts', async () => {
    const { send, received, host } = await startRaw([fine]);

    await send({
      body: '{"ä":1}',
      headers: { authorization: 'Bearer 1', accept: 'application/graphql-response+json' },
    });

    expect(received()).toBe(
      [
        'POST /graphql?a=b HTTP/1.1',
        `host: ${host}`,
        'accept-encoding: gzip, br',
        'content-type: application/json',
        'authorization: Bearer 1',
        'accept: application/graphql-response+json',
        'content-length: 8',
        '',
        Buffer.from('{"ä":1}').toString('latin1'),
      ].join('\r\n'),
    );
  });

  it('names the host that it is given, and no other', async () => {
    const { send, received } = await startRaw([fine]);

    await send({ headers: { host: 'shop.example' } });

    expect(received().match(/^host: .*$/gim)).toEqual(['host: shop.example']);
  });

  it('has its fields in Latin-1 and its body in UTF-8', async () => {
    const { send, received } = await startRaw([fine]);

    await send({ body: '"ä"', headers: { 'x-name': 'J\xe4n' } });

    expect(received()).toContain('x-name: J\xe4n\r\n');
    expect(received()).toContain('\r\n\r\n"\xc3\xa4"');
  });

  it('has its own fields, also when the previous request used the same object', async () => {
    const { send, received } = await startRaw([fine, fine, fine]);
    const headers: Record<string, string> = { authorization: 'Bearer 1' };

    await send({ headers });
    headers['authorization'] = 'Bearer 2';
    await send({ headers });
    headers['x-name'] = 'J\xe4n';
    await send({ headers });

    expect(received().match(/Bearer \d|x-name: .*/g)).toEqual([
      'Bearer 1',
      'Bearer 2',
      'Bearer 2',
      'x-name: J\xe4n',
    ]);
  });

  it.each([
    ['a line break in a value', { 'x-a': '1\r\nx-admin: true' }],
    ['a line feed in a value', { 'x-a': '1\nx-admin: true' }],
    ['a character beyond one byte', { 'x-a': '\u0100' }],
    ['a NUL in a value', { 'x-a': '\0' }],
    ['a space in a name', { 'x a': '1' }],
    ['a line break in a name', { 'x-a: 1\r\nx-b': '1' }],
    ['a length of its own', { 'content-length': '0' }],
    ['a framing of its own', { 'Transfer-Encoding': 'chunked' }],
    ['a connection of its own', { connection: 'upgrade' }],
  ])('is rejected before a byte of it is sent, when its header fields have %s', async (_case, headers) => {
    const { send, connections } = await startRaw([fine]);

    await expect(send({ headers })).rejects.toMatchObject({
      code: 'SUBREQUEST_HTTP_ERROR',
    });

    expect(connections).toHaveLength(0);
  });
});

it('A process ends by itself once its client has no pending request, and not before', async () => {
  const respondLate: RawResponse = (socket) => void setTimeout(() => socket.write(fine), 100);
  const { host } = await startRaw([respondLate]);
  const client = new URL('../../../src/transport/create-subgraph-client.ts', import.meta.url);
  const module = new URL('../../support/send-to.ts', import.meta.url);
  const program = `
    const { createSubgraphClient } = await import(${JSON.stringify(client.href)});
    const { sendTo } = await import(${JSON.stringify(module.href)});
    const target = { url: 'http://${host}/', timeoutMs: 120_000 };
    const { text } = await sendTo(createSubgraphClient(), target);
    console.log(text.toString());`;

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 60_000,
  });

  expect(stdout).toBe('"fine"\n');
});

type RawResponse = string | ((socket: Socket) => void);

function endsWith(bytes: string): RawResponse {
  return (socket) => void socket.end(bytes, 'latin1');
}

function byteByByte(bytes: string): RawResponse {
  return (socket) => {
    socket.setNoDelay(true);
    const write = (index: number): void => {
      if (index < bytes.length) {
        socket.write(bytes.charAt(index), 'latin1', () => setImmediate(write, index + 1));
      }
    };
    write(0);
  };
}

async function closed(socket: Socket | undefined): Promise<void> {
  if (socket?.closed === false) {
    // A reset is an end too: `once` would reject for it.
    await new Promise<unknown>((resolve) => void socket.once('close', resolve));
  }
}

/** A subgraph to which so many connections are kept. The next request on each one that is lost resets it. */
async function startLossy(keptCount: number) {
  const lost = new Set<Socket>();
  const respond: RawResponse = (socket) => {
    if (lost.has(socket)) {
      socket.resetAndDestroy();
    } else {
      socket.write(fine);
    }
  };
  const subgraph = await startRaw(Array.from({ length: 1000 }, () => respond));
  await Promise.all(Array.from({ length: keptCount }, () => subgraph.send()));
  expect(subgraph.connections).toHaveLength(keptCount);
  return { ...subgraph, loseConnections: () => subgraph.connections.forEach((socket) => lost.add(socket)) };
}

/** A subgraph that writes these bytes for one request after another, whatever connection they come over. */
async function startRaw(
  responses: readonly RawResponse[],
  isWhole: (received: string) => boolean = isWholeRequest,
) {
  const connections: Socket[] = [];
  const left = [...responses];
  let all = '';
  const server = createServer((socket) => {
    connections.push(socket);
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      all += bytes.toString('latin1');
      for (let end = endOfRequest(received, isWhole); end > 0; end = endOfRequest(received, isWhole)) {
        received = received.slice(end);
        const response = left.shift();
        if (typeof response === 'string') {
          socket.write(response, 'latin1');
        } else {
          response?.(socket);
        }
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = createSubgraphClient();
  closing.push(
    () => stop(server, connections),
    () => client.close(),
  );
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target = { url: `http://${host}/graphql?a=b`, timeoutMs: 3000 };
  return {
    host,
    connections,
    received: () => all,
    send: async (request: SentRequest = {}): Promise<string> => {
      const { text } = await sendTo(client, target, request);
      return text.toString();
    },
  };
}

function isWholeRequest(received: string): boolean {
  return endOf(received) <= received.length;
}

function endOfRequest(received: string, isWhole: (received: string) => boolean): number {
  return received !== '' && isWhole(received) ? Math.min(endOf(received), received.length) : 0;
}

function endOf(received: string): number {
  const head = received.indexOf('\r\n\r\n');
  const [, length] = /content-length: (\d+)/.exec(received) ?? [];
  return head === -1 ? Infinity : head + 4 + Number(length);
}

async function stop(server: Server, connections: readonly Socket[]): Promise<void> {
  connections.forEach((socket) => socket.destroy());
  await new Promise<unknown>((resolve) => void server.close(resolve));
}
