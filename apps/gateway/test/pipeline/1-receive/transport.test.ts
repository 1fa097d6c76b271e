import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestGateway } from '../../support/test-gateway.ts';
import { startTestGateway } from '../../support/test-gateway.ts';

const operation = { query: 'query Time { time }' };
const time = { time: 'now' };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ config: 'limits: { http_max_request_bytes: 1000 }' });
});
afterAll(() => gateway.close());

describe('the method', () => {
  it('POST takes an operation in the body', async () => {
    expect((await gateway.post(operation)).body).toEqual({ data: time });
  });

  it('GET takes an operation in the query string', async () => {
    const members = {
      query: 'query Two($first: Int!) { topProducts(first: $first) { id } }',
      variables: { first: 1 },
    };
    expect((await gateway.get(members)).body).toEqual({ data: { topProducts: [{ id: '1' }] } });
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is 405 with Allow', async (method) => {
    const { status, headers } = await fetch(gateway.url, { method });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' });
  });

  it('GET is 405 with Allow for a mutation', async () => {
    const { status, headers, code } = await gateway.get({
      query: 'mutation Rename { rename(id: 1, name: "x") { id } }',
    });
    expect({ status, allow: headers.get('allow'), code }).toEqual({
      status: 405,
      allow: 'POST',
      code: 'METHOD_NOT_ALLOWED',
    });
  });

  it('a WebSocket is refused as that', async () => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'x',
      'Sec-WebSocket-Version': '13',
    };
    const [response] = (await once(request(gateway.url, { headers }).end(), 'response')) as [IncomingMessage];
    expect([response.statusCode, await json(response)]).toEqual([
      400,
      { errors: [expect.objectContaining({ message: expect.stringContaining('takes no WebSocket') })] },
    ]);
  });
});

describe('a body that does not arrive in time', () => {
  it('is 408 REQUEST_TIMEOUT, and the connection is closed', async () => {
    const impatient = await startTestGateway({ config: 'traffic_shaping: { router: { timeout: 100ms } }' });
    const sent = request(impatient.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': '100' },
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write('{');
    const [response] = await answered;
    expect([response.statusCode, response.headers.connection]).toEqual([408, 'close']);
    expect(await json(response)).toMatchObject({ errors: [{ extensions: { code: 'REQUEST_TIMEOUT' } }] });
    sent.destroy();
    await impatient.close();
  });
});

describe('the path', () => {
  it('answers 404 for any but the graph endpoint', async () => {
    const response = await fetch(`${gateway.url}s`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });

  it('is redirected to the form without a trailing slash', async () => {
    const { status, headers } = await fetch(`${gateway.url}/?query=x`, { redirect: 'manual' });
    expect({ status, location: headers.get('location') }).toEqual({
      status: 301,
      location: '/graphql?query=x',
    });
  });

  it("answers at Router's default as well where nobody chose one", async () => {
    const response = await fetch(gateway.url.replace('/graphql', '/'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(operation),
    });
    expect(await response.json()).toEqual({ data: time });
  });
});

describe('the media types', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'application/graphql+json'])(
    'a body may be %s',
    async (type) => {
      expect((await gateway.post(operation, { 'Content-Type': type })).body).toEqual({ data: time });
    },
  );

  it.each(['text/plain', 'application/graphql', 'multipart/form-data; boundary=x'])(
    'a body of %s is 415',
    async (type) => {
      const { status, code } = await gateway.post(operation, { 'Content-Type': type });
      expect({ status, code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    },
  );

  it('an upload of files is told that none are taken', async () => {
    const { body } = await gateway.post(operation, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(body.errors?.[0]?.message).toContain('takes no file uploads');
  });

  const compressed = (body: Uint8Array<ArrayBuffer>, coding: string): Promise<Response> =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': coding },
      body,
    });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (text: string): Buffer<ArrayBuffer> => Buffer.from(text)],
  ])('a body may be in the content coding %s', async (coding, compress) => {
    const body = compress(JSON.stringify(operation));
    expect(await (await compressed(Uint8Array.from(body), coding)).json()).toEqual({ data: time });
  });

  it.each([
    ['compress', 415, 'UNSUPPORTED_MEDIA_TYPE', gzipSync('x')],
    ['gzip, gzip', 415, 'UNSUPPORTED_MEDIA_TYPE', gzipSync(gzipSync('x'))],
    ['gzip', 400, 'BAD_REQUEST', Buffer.from('no gzip at all')],
    ['gzip', 413, 'PAYLOAD_TOO_LARGE', gzipSync(JSON.stringify(operation).padEnd(1001))],
    ['br', 413, 'PAYLOAD_TOO_LARGE', brotliCompressSync(' '.repeat(50_000_000))],
  ])('a body that calls itself %s is refused with %d where it is not, or is too long', async (...case_) => {
    const [coding, status, code, body] = case_;
    const response = await compressed(Uint8Array.from(body), coding);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { errors: [{ extensions: { code } }] },
    ]);
    expect(response.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip, br, deflate' : null);
  });

  it('nothing acceptable is 406, as JSON all the same', async () => {
    const { status, code, headers } = await gateway.post(operation, { Accept: 'text/html' });
    expect({ status, code, type: headers.get('content-type') }).toEqual({
      status: 406,
      code: 'NOT_ACCEPTABLE',
      type: 'application/json',
    });
  });
});

describe('the body', () => {
  it.each([
    ['bad JSON', '{"query": '],
    ['no JSON object', '"query"'],
    ['no query and no identifier', {}],
    ['`query` no string', { query: 1 }],
    ['`variables` no object', { ...operation, variables: [] }],
    ['`operationName` no string', { ...operation, operationName: {} }],
    ['`extensions` no object', { ...operation, extensions: 'x' }],
    ['an identifier of another version', { extensions: { persistedQuery: { version: 2, sha256Hash: 'x' } } }],
    ['an identifier that is no string', { extensions: { persistedQuery: { version: 1, sha256Hash: 1 } } }],
  ])('%s is BAD_REQUEST', async (_case, body) => {
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

  it('that nests too deep, or has too many values, is BAD_REQUEST before it is parsed', async () => {
    const roomy = await startTestGateway();
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
    await roomy.close();
  });

  it('no UTF-8 is BAD_REQUEST', async () => {
    const body = Buffer.concat([Buffer.from('{"query":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(gateway.url, { method: 'POST', headers, body })).status).toBe(400);
  });

  it('array batch is BATCHING_NOT_ENABLED', async () => {
    expect((await gateway.post([operation])).code).toBe('BATCHING_NOT_ENABLED');
  });

  it('may have members that are null, and extensions that nobody knows', async () => {
    const body = {
      ...operation,
      variables: null,
      operationName: null,
      extensions: { clientLibrary: { name: 'x' } },
    };
    expect((await gateway.post(body)).body).toEqual({ data: time });
  });

  it('over the cap is 413', async () => {
    const { status, code } = await gateway.post({ ...operation, padding: 'x'.repeat(1000) });
    expect({ status, code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });
});

describe('the query string', () => {
  it.each([
    ['variables', { ...operation, variables: '{' }],
    ['extensions', { ...operation, extensions: '[]' }],
    ['variables', { ...operation, variables: `{"a":${'['.repeat(501)}${']'.repeat(501)}}` }],
  ])('`%s` no JSON object is BAD_REQUEST', async (_name, members) => {
    expect(await gateway.get(members)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });
});

describe('cross-site request forgery', () => {
  const url = (): string => `${gateway.url}?${new URLSearchParams(operation).toString()}`;

  it('GET without a header field that needs a preflight is BAD_REQUEST', async () => {
    const response = await fetch(url());
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });

  it.each([
    ['Content-Type', 'application/json'],
    ['apollo-require-preflight', 'yes'],
    ['x-apollo-operation-name', 'Time'],
  ])('GET passes with %s: %s', async (name, value) => {
    expect((await fetch(url(), { headers: { [name]: value } })).status).toBe(200);
  });

  it.each([
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'nonsense'],
    ['apollo-require-preflight', ''],
  ])('GET does not pass with %s: %s', async (name, value) => {
    expect((await fetch(url(), { headers: { [name]: value } })).status).toBe(400);
  });
});
