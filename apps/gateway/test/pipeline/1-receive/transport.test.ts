import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const operation = { query: 'query Time { time }' };
const time = { time: 'now' };

const gateway = useTestGateway();

beforeAll(() => gateway.start({ config: 'limits: { http_max_request_bytes: 1000 }' }));
describe('The graph endpoint', () => {
  it('reads an operation from the body of a POST', async () => {
    expect((await gateway.post(operation)).body).toEqual({ data: time });
  });

  it('reads an operation from the query string of a GET', async () => {
    const members = {
      query: 'query Two($first: Int!) { topProducts(first: $first) { id } }',
      variables: { first: 1 },
    };
    expect((await gateway.get(members)).body).toEqual({ data: { topProducts: [{ id: '1' }] } });
  });

  it('answers HEAD as it answers GET, without the body', async () => {
    const url = `${gateway.url}?${new URLSearchParams({ query: 'query A { time }' }).toString()}`;
    const headers = { 'apollo-require-preflight': 'yes' };
    const [got, head] = [await fetch(url, { headers }), await fetch(url, { method: 'HEAD', headers })];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'vary']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String((await got.text()).length));
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(400);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('answers 405 with Allow to %s', async (method) => {
    const { status, headers } = await fetch(gateway.url, { method });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD, POST' });
  });

  it('answers 405 with Allow to a mutation by GET', async () => {
    const { status, headers, code } = await gateway.get({
      query: 'mutation Rename { rename(id: 1, name: "x") { id } }',
    });
    expect({ status, allow: headers.get('allow'), code }).toEqual({
      status: 405,
      allow: 'POST',
      code: 'METHOD_NOT_ALLOWED',
    });
  });

  it('answers a WebSocket handshake with a request error that names it', async () => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'x',
      'Sec-WebSocket-Version': '13',
    };
    const [response] = (await once(request(gateway.url, { headers }).end(), 'response')) as [IncomingMessage];
    expect([response.statusCode, await json(response)]).toEqual([
      400,
      {
        errors: [
          expect.objectContaining({ message: expect.stringContaining('supports neither WebSockets') }),
        ],
      },
    ]);
  });
});

describe('A body that does not arrive in time', () => {
  it('is answered with 408 REQUEST_TIMEOUT, and the connection is closed', async () => {
    await using impatient = await startTestGateway({
      config: 'traffic_shaping: { router: { timeout: 100ms } }',
    });
    const sent = request(impatient.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': '100' },
    });
    const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write('{');
    const [response] = await responded;
    expect([response.statusCode, response.headers.connection]).toEqual([408, 'close']);
    expect(await json(response)).toMatchObject({ errors: [{ extensions: { code: 'REQUEST_TIMEOUT' } }] });
    sent.destroy();
  });
});

describe("The gateway's public port", () => {
  it.each(['/graphqls', '/favicon.ico'])('answers 404 at %s, with the paths of the graph', async (path) => {
    const response = await fetch(new URL(gateway.url).origin + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message: 'The graph endpoint is at / and /graphql, not at this path',
          extensions: { code: 'NOT_FOUND' },
        },
      ],
    });
  });

  it("redirects the graph endpoint's path with a trailing slash to the path without one", async () => {
    const { status, headers } = await fetch(`${gateway.url}/?query=x`, { redirect: 'manual' });
    expect({ status, location: headers.get('location') }).toEqual({
      status: 301,
      location: '/graphql?query=x',
    });
  });

  it("serves the graph at Apollo Router's default path too when none is configured", async () => {
    const response = await fetch(gateway.url.replace('/graphql', '/'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(operation),
    });
    expect(await response.json()).toEqual({ data: time });
  });
});

describe('A request', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"; v=1',
    'application/graphql+json',
  ])('may have a body of the media type %s', async (type) => {
    expect((await gateway.post(operation, { 'Content-Type': type })).body).toEqual({ data: time });
  });

  it.each([
    'text/plain',
    'application/graphql',
    'multipart/form-data; boundary=x',
    'application/json; charset=ISO-8859-1',
    'application/graphql+json; v=1; charset=utf-16',
  ])('is answered with 415 when its body has the media type %s', async (type) => {
    const { status, code } = await gateway.post(operation, { 'Content-Type': type });
    expect({ status, code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it('is answered with an error that names its transfer coding', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n' +
        'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    );
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 415 /u);
    expect(response).toContain('The body has a transfer coding other than chunked');
  });

  it('is answered with an error that names file uploads when it uploads a file', async () => {
    const { body } = await gateway.post(operation, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(body.errors?.[0]?.message).toContain('does not support file uploads');
  });

  const compressed = (body: Uint8Array<ArrayBuffer>, coding: string): Promise<Response> =>
    gateway.send(body, { 'Content-Encoding': coding });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (text: string): Buffer<ArrayBuffer> => Buffer.from(text)],
  ])('may have a body in the content coding %s', async (coding, compress) => {
    const body = compress(JSON.stringify(operation));
    expect(await (await compressed(Uint8Array.from(body), coding)).json()).toEqual({ data: time });
  });

  it.each([
    ['compress', 415, 'UNSUPPORTED_MEDIA_TYPE', gzipSync('x')],
    ['gzip, gzip', 415, 'UNSUPPORTED_MEDIA_TYPE', gzipSync(gzipSync('x'))],
    ['gzip', 400, 'BAD_REQUEST', Buffer.from('no gzip at all')],
    ['gzip', 413, 'PAYLOAD_TOO_LARGE', gzipSync(JSON.stringify(operation).padEnd(1001))],
    ['br', 413, 'PAYLOAD_TOO_LARGE', brotliCompressSync(' '.repeat(50_000_000))],
  ])(
    'with the content coding %s is answered with %d when its body is not so coded, or is too long',
    async (...case_) => {
      const [coding, status, code, body] = case_;
      const response = await compressed(Uint8Array.from(body), coding);
      expect([response.status, await response.json()]).toMatchObject([
        status,
        { errors: [{ extensions: { code } }] },
      ]);
      expect(response.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip, br, deflate' : null);
    },
  );

  it("is answered with 406 as JSON when it accepts none of the gateway's media types", async () => {
    const { status, code, headers } = await gateway.post(operation, { Accept: 'text/html' });
    const [type, vary] = ['content-type', 'vary'].map((name) => headers.get(name));
    expect({ status, code, type, vary }).toEqual({
      status: 406,
      code: 'NOT_ACCEPTABLE',
      type: 'application/json',
      vary: 'Accept',
    });
  });
});

describe('A request body', () => {
  it.each([
    ['bad JSON', '{"query": '],
    ['no JSON object', '"query"'],
    ['no query and no identifier', {}],
    ['a `query` that is not a string', { query: 1 }],
    ['`variables` that are not an object', { ...operation, variables: [] }],
    ['an `operationName` that is not a string', { ...operation, operationName: {} }],
    ['`extensions` that are not an object', { ...operation, extensions: 'x' }],
    ['an identifier of another version', { extensions: { persistedQuery: { version: 2, sha256Hash: 'x' } } }],
    ['an identifier that is not a string', { extensions: { persistedQuery: { version: 1, sha256Hash: 1 } } }],
  ])('is answered with BAD_REQUEST when it has %s', async (_case, body) => {
    const { status, code, headers } = await gateway.post(body, {
      Accept: 'application/graphql-response+json',
    });
    expect({ status, code, type: headers.get('content-type') }).toEqual({
      status: 400,
      code: 'BAD_REQUEST',
      type: 'application/json',
    });
  });

  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const withVariable = (text: string): string => `{"query":"query Time { time }","variables":{"a":${text}}}`;

  it('is answered with BAD_REQUEST before it is parsed when it nests too deep or has too many values', async () => {
    await using roomy = await startTestGateway();
    const messageOf = async (body: string): Promise<unknown> => {
      const { status, body: response } = await roomy.post(body);
      return status === 200 ? response.data : response.errors?.[0]?.message;
    };
    // The body itself and `variables` are two levels more.
    expect(await messageOf(withVariable(nested(498)))).toEqual(time);
    const tooDeep = 'The body nests more than 500 arrays and objects';
    expect(await messageOf(withVariable(nested(499)))).toBe(tooDeep);
    expect(await messageOf('['.repeat(500_000))).toBe(tooDeep);
    expect(await messageOf(withVariable(`[${'1,'.repeat(24_000)}1]`))).toEqual(time);
    expect(await messageOf(withVariable(`[${'1,'.repeat(25_000)}1]`))).toBe(
      'The body has more than 25000 values',
    );
    // Nothing in a string counts, whatever is escaped in it.
    const text = JSON.stringify(`${'\\"[,{'.repeat(30_000)}\\`);
    expect(await messageOf(withVariable(text))).toEqual(time);
  });

  it('is answered with BAD_REQUEST when it is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"query":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(gateway.url, { method: 'POST', headers, body })).status).toBe(400);
  });

  it('is answered with BATCHING_NOT_ENABLED when it is an array', async () => {
    expect((await gateway.post([operation])).code).toBe('BATCHING_NOT_ENABLED');
  });

  it('may have members that are null, and unknown extensions', async () => {
    const body = {
      ...operation,
      variables: null,
      operationName: null,
      extensions: { clientLibrary: { name: 'x' } },
    };
    expect((await gateway.post(body)).body).toEqual({ data: time });
  });

  it('is answered with 413 when it is over the cap', async () => {
    const { status, code } = await gateway.post({ ...operation, padding: 'x'.repeat(1000) });
    expect({ status, code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([
    ['in one segment with its head', (head: string, body: string) => [head + body]],
    ['after its head', (head: string, body: string) => [head, body]],
    ['in two parts', (head: string, body: string) => [head + body.slice(0, 10), body.slice(10)]],
  ])('may come %s, on a connection that is used again', async (_how, segmentsOf) => {
    const { host, hostname, port, pathname } = new URL(gateway.url);
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    const responses = socket.iterator({ destroyOnReturn: false });
    try {
      for (let requests = 0; requests < 3; requests += 1) {
        const body = JSON.stringify(operation);
        const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
        for (const segment of segmentsOf(head, body)) {
          await new Promise((sent) => socket.write(segment, sent));
        }
        const { value } = await responses.next();
        expect(String(value)).toMatch(/^HTTP\/1.1 200 [^]*"time":"now"/);
      }
    } finally {
      socket.destroy();
    }
  });
});

describe('A query string', () => {
  it.each([
    ['variables', { ...operation, variables: '{' }],
    ['extensions', { ...operation, extensions: '[]' }],
    ['variables', { ...operation, variables: `{"a":${'['.repeat(501)}${']'.repeat(501)}}` }],
  ])('is answered with BAD_REQUEST when its `%s` is not a JSON object', async (_name, members) => {
    expect(await gateway.get(members)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });
});

describe('A query string with a member twice', () => {
  it.each(['query', 'operationName', 'variables', 'extensions', 'documentId'])(
    'is answered with BAD_REQUEST, because parsers disagree about which counts: %s',
    async (name) => {
      const members = new URLSearchParams(operation);
      members.append(name, '');
      members.append(name, '');
      const response = await fetch(`${gateway.url}?${members.toString()}`, {
        headers: { 'apollo-require-preflight': 'yes' },
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        errors: [
          {
            message: `The query string holds \`${name}\` twice`,
            extensions: { code: 'BAD_REQUEST' },
          },
        ],
      });
    },
  );
});

describe('The check against cross-site request forgery', () => {
  const url = (): string => `${gateway.url}?${new URLSearchParams(operation).toString()}`;

  it('answers BAD_REQUEST to a GET without a header field that needs a preflight', async () => {
    const response = await fetch(url());
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });

  it.each([
    ['Content-Type', 'application/json'],
    ['Content-Type', 'Application/JSON; charset=utf-8'],
    ['apollo-require-preflight', 'yes'],
    ['x-apollo-operation-name', 'Time'],
  ])('lets a GET pass with %s: %s', async (name, value) => {
    expect((await fetch(url(), { headers: { [name]: value } })).status).toBe(200);
  });

  it.each([
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'nonsense'],
    // Browsers have sent such types without a preflight: GHSA-9q82-xgwf-vj6h.
    ['Content-Type', 'message/rfc822'],
    ['Content-Type', 'application/graphql'],
    ['Content-Type', 'application/jsonp'],
    ['apollo-require-preflight', ''],
  ])('stops a GET with %s: %s', async (name, value) => {
    expect((await fetch(url(), { headers: { [name]: value } })).status).toBe(400);
  });
});
