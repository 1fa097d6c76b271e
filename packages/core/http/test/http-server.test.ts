import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { parseResponse, received, startExampleServer } from './fixtures/example-server.ts';
import type { ExampleServer } from './fixtures/example-server.ts';

const uuid = /^[0-9a-f-]{36}$/;
let server: ExampleServer;

beforeAll(async () => {
  server = await startExampleServer();
});
afterAll(() => server.close());

describe('A malformed request', () => {
  it.each([
    ['no request line', 'hello\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another protocol', 'GET / HTTQ/1.1\r\nHost: a\r\n\r\n'],
    ['an unsupported version', 'GET / HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['no version', 'GET /\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['a control character in the path', 'GET /\u0001 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a bad length', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n'],
    ['a negative length', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    [
      'a length and chunks',
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a bad chunk', 'POST /things HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['no Host', 'GET /things/1 HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /things/1 HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['a malformed Host', 'GET /things/1 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    [
      'two Authorization headers',
      'GET /things/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\nConnection: close\r\n\r\n',
    ],
    ['a Host with a path', 'GET /things/1 HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n'],
    ['a Host with a bad port', 'GET /things/1 HTTP/1.1\r\nHost: a:x\r\nConnection: close\r\n\r\n'],
    ['a target that is not a path', 'GET things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a target of another scheme', 'GET ftp://a/things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a target with a broken host', 'GET http://[/things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a tunnel asked for', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('is answered with 400 malformed-request: %s', async (_what, bytes) => {
    const { status, headers, body } = parseResponse(await server.exchange(bytes));
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('request-id')).toMatch(uuid);
    expect(headers.get('content-length')).toBe(String(body.length));
    expect(JSON.parse(body)).toEqual({
      type: 'https://api.example/problems/malformed-request',
      status: 400,
      detail: expect.any(String),
    });
  });

  it("is logged with the client's request id, and counted", async () => {
    const { headers } = parseResponse(await server.exchange('hello\r\n\r\n'));
    expect(server.lines()).toContainEqual(
      expect.objectContaining({
        msg: 'request rejected',
        kind: 'malformed-request',
        requestId: headers.get('request-id'),
      }),
    );
    expect(await server.metrics.registry.metrics()).toMatch(
      /problems_total\{kind="malformed-request".*\} [1-9]/,
    );
  });

  it('waits for its turn after an earlier request on the same connection', async () => {
    const responses = await server.exchange('GET /patient HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(responses).toContain('done');
  });
});

describe('A fault in the body of a request', () => {
  it('ends the connection without a second response when the request has been answered', async () => {
    const socket = await server.connect();
    const responses = received(socket);
    socket.write('PUT /things/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    await once(socket, 'data');
    socket.write('zz\r\n');
    expect((await responses).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 428']);
  });

  it.each([
    ['POST /nope', 404],
    ['DELETE /things/1', 405],
  ])('does not cut off the response that the request has just got, %s', async (request, status) => {
    const response = await server.exchange(
      `${request} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    );
    const parsed = parseResponse(response);
    expect(parsed.status).toBe(status);
    expect(parsed.body).toHaveLength(Number(parsed.headers.get('content-length')));
    expect(parsed.body).not.toBe('');
  });

  it('costs no earlier request its response', async () => {
    const responses = await server.exchange(
      'GET /patient HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2) +
        'POST /things HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    );
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('A client that asks for a tunnel', () => {
  it('gets its request error after the earlier responses', async () => {
    const responses = await server.exchange(
      'GET /patient HTTP/1.1\r\nHost: a\r\n\r\nCONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('affects no other client by resetting its connection', async () => {
    const socket = await server.connect();
    socket.write('CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect(parseResponse(await server.exchange(headOf(200))).status).toBe(200);
  });
});

describe('Header fields', () => {
  it('are accepted up to 64 KiB in all, names and request line included', async () => {
    const { status } = parseResponse(await server.exchange(headOf(65_536)));
    expect(status).toBe(200);
  });

  it('are accepted up to 200, the last of them too', async () => {
    const many = Array.from({ length: 197 }, (_, index) => `a: ${index % 10}\r\n`).join('');
    const { status } = parseResponse(
      await server.exchange(
        `GET /mine HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${many}Authorization: Bearer reader\r\n\r\n`,
      ),
    );
    expect(status).toBe(200);
  });

  it.each([201, 202, 6000])('are answered with 431 headers-too-large when there are %d', async (count) => {
    const many = Array.from({ length: count - 1 }, (_, index) => `a: ${index % 10}\r\n`).join('');
    const { status, headers, body } = parseResponse(
      await server.exchange(`POST /things HTTP/1.1\r\nHost: a\r\n${many}\r\n`),
    );
    expect(status).toBe(431);
    expect(headers.get('connection')).toBe('close');
    expect(JSON.parse(body)).toMatchObject({
      type: 'https://api.example/problems/headers-too-large',
      detail: 'The request has over 200 header fields, or over 65536 bytes of them and the request line.',
    });
  });

  it.each([
    ['one field over the bound', 66_000],
    ['one field far over the bound, while the client is still sending', 5_000_000],
  ])('are answered with 431 headers-too-large with %s', async (_what, length) => {
    const { status, headers, body } = parseResponse(await server.exchange(headOf(length)));
    expect(status).toBe(431);
    expect(headers.get('request-id')).toMatch(uuid);
    expect(JSON.parse(body)).toMatchObject({
      type: 'https://api.example/problems/headers-too-large',
      status: 431,
    });
  });
});

describe('The path', () => {
  it.each([
    ['of a request', (path: string) => path],
    ['of an absolute target', (path: string) => `http://a${path}`],
  ])(
    '%s is accepted up to 4096 characters, and is answered with 414 path-too-long above',
    async (_what, targetOf) => {
      const ask = async (length: number) =>
        parseResponse(await server.exchange(headFor(targetOf(`/${'a'.repeat(length - 1)}`))));
      expect((await ask(4096)).status).toBe(404);
      const { status, headers, body } = await ask(4097);
      expect(status).toBe(414);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(JSON.parse(body)).toMatchObject({
        type: 'https://api.example/problems/path-too-long',
        status: 414,
      });
    },
  );

  it('does not limit the query string further than the bound on all header fields', async () => {
    const response = await server.exchange(headFor(`/things/1?variables=${'a'.repeat(60_000)}`));
    expect(parseResponse(response).status).toBe(200);
  });
});

describe('An unusual but well-formed request', () => {
  it.each([
    [
      'an absolute target',
      'GET http://other.example/things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ],
    [
      'an address and a port as Host',
      'GET /things/1 HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n',
    ],
    ['an empty Host', 'GET /things/1 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['an old protocol version without Host', 'GET /things/1 HTTP/1.0\r\n\r\n'],
    [
      'an expectation nobody knows',
      'GET /things/1 HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n',
    ],
    [
      'an upgrade that the server does not offer',
      'GET /things/1 HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade, close\r\n\r\n',
    ],
  ])('is answered: %s', async (_what, bytes) => {
    expect(parseResponse(await server.exchange(bytes)).status).toBe(200);
  });

  it.each(['http://user@other.example/things/1', 'http:///things/1', 'ftp://other.example/things/1'])(
    'is answered with 400 for the target %s',
    async (target) => {
      expect(parseResponse(await server.exchange(headFor(target))).status).toBe(400);
    },
  );

  it('is for the host of an absolute target, whatever its Host says', async () => {
    const hosts: unknown[] = [];
    const listener = await startExampleServer((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    await listener.exchange(
      'GET http://other.example:1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(hosts).toEqual(['other.example:1']);
    await listener.close();
  });

  it('is redirected on its host for an absolute target with a trailing slash', async () => {
    const { status, headers } = parseResponse(
      await server.exchange(
        'GET http://other.example/things/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      ),
    );
    expect({ status, location: headers.get('location') }).toEqual({ status: 301, location: '/things' });
  });

  it.each(['OPTIONS * HTTP/1.1', 'GET http://other.example HTTP/1.1'])(
    'is answered with 404 for %s',
    async (requestLine) => {
      const { status, body } = parseResponse(
        await server.exchange(`${requestLine}\r\nHost: a\r\nConnection: close\r\n\r\n`),
      );
      expect(status).toBe(404);
      expect(JSON.parse(body)).toMatchObject({ type: 'https://api.example/problems/route-not-found' });
    },
  );
});

describe('A kept connection', () => {
  it('stays open after a response', async () => {
    const socket = await server.connect();
    const responses = received(socket);
    socket.write('GET /things/1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.write('GET /things/2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect((await responses).match(/"id":"\d"/g)).toEqual(['"id":"1"', '"id":"2"']);
  });
});

function headFor(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
}

/** A whole request head of exactly `length` bytes. */
function headOf(length: number): string {
  const start = 'GET /things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Long: ';
  return `${start}${'x'.repeat(length - start.length - 4)}\r\n\r\n`;
}

describe('Pipelined requests', () => {
  const two = 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  let begun: Map<string, ServerResponse>;
  /** Emits the path of each request that begins to be handled. */
  let beginnings: EventEmitter;
  let slow: ExampleServer;
  beforeEach(async () => {
    begun = new Map();
    beginnings = new EventEmitter();
    slow = await startExampleServer(({ url = '' }, response) => {
      begun.set(url, response);
      beginnings.emit(url);
    });
  });
  afterEach(() => slow.close());

  it('are handled one after another', async () => {
    const socket = await slow.connect();
    const responses = text(socket);
    const first = once(beginnings, '/1');
    socket.write(two);
    await first;
    // The second came with the first; what comes on another connection does not wait.
    const other = once(beginnings, '/other');
    (await slow.connect()).write('GET /other HTTP/1.1\r\nHost: a\r\n\r\n');
    await other;
    expect([...begun.keys()]).toEqual(['/1', '/other']);

    const second = once(beginnings, '/2');
    begun.get('/1')?.end('one');
    await second;
    begun.get('/2')?.end('two');
    expect(await responses).toMatch(/one[\s\S]*two$/u);
    begun.get('/other')?.end();
  });

  it('are not handled when the connection ends before their turn', async () => {
    const socket = await slow.connect();
    const first = once(beginnings, '/1');
    socket.write(two);
    await first;
    const closed = new Promise((resolve) => begun.get('/1')?.once('close', resolve));
    socket.destroy();
    await closed;
    expect([...begun.keys()]).toEqual(['/1']);
  });
});
