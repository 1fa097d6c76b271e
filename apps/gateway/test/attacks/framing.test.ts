// Requests that two servers in a row could read differently, over raw sockets, to the gateway as a process.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceProcess } from '@meridian/testing';
import { startServiceProcess } from '@meridian/testing';

import { useTestGateway } from '../support/use-test-gateway.ts';

/** Only for its subgraphs and its supergraph file. */
const shop = useTestGateway();
let gateway: ServiceProcess;

beforeAll(async () => {
  await shop.start();
  gateway = await startServiceProcess(new URL('../../src/main.ts', import.meta.url), {
    SUPERGRAPH_PATH: shop.supergraphPath,
    ROUTER_CONFIG_PATH: fileURLToPath(new URL('open.router.yaml', import.meta.url)),
  });
});
afterAll(async () => {
  await gateway.stop();
  await shop.close();
});

/** The request that an attacker wants to run under another client's name. */
const smuggledBody = '{"query":"query Smuggled { time }"}';
const smuggled = [
  'POST /graphql HTTP/1.1',
  'Host: a',
  'Content-Type: application/json',
  `Content-Length: ${smuggledBody.length}`,
  'Connection: close',
  '',
  smuggledBody,
].join('\r\n');

/** A request with these lines in its header, followed by the one that it tries to hide. */
function hiding(lines: readonly string[], body: string): string {
  const head = ['POST /graphql HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}${smuggled}`;
}

/** All bytes of the response, until the gateway closes the connection. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(Buffer.from(bytes, 'latin1'));
  return await text(socket);
}

const statusesIn = (responses: string): string[] => responses.match(/HTTP\/1\.1 \d+/g) ?? [];

describe('An ambiguous HTTP/1.1 request', () => {
  it('is answered with data once its ambiguity is removed', async () => {
    const responses = await exchange(smuggled);
    expect(statusesIn(responses)).toEqual(['HTTP/1.1 200']);
    expect(shop.products.received).toHaveLength(1);
  });

  it.each([
    ['a length and chunks', hiding(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['chunks and a length', hiding(['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n')],
    ['two lengths', hiding(['Content-Length: 2', 'Content-Length: 200'], '{}')],
    ['the same length twice', hiding(['Content-Length: 2', 'Content-Length: 2'], '{}')],
    ['a list of lengths', hiding(['Content-Length: 2, 2'], '{}')],
    ['a length with a sign', hiding(['Content-Length: +2'], '{}')],
    ['a length in hexadecimal', hiding(['Content-Length: 0x2'], '{}')],
    ['a length with a space in it', hiding(['Content-Length: 2 0'], '{}')],
    ['chunks, and then as they are', hiding(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')],
    [
      'two codings in two fields',
      hiding(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'),
    ],
    ['an unknown coding', hiding(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
    ['a space before the colon', hiding(['Transfer-Encoding : chunked'], '0\r\n\r\n')],
    ['a vertical tab before the coding', hiding(['Transfer-Encoding: \u000Bchunked'], '0\r\n\r\n')],
    ['a folded line', hiding(['X-Folded: a', ' Transfer-Encoding: chunked', 'Content-Length: 2'], '{}')],
    ['a folded coding', hiding(['Transfer-Encoding:', ' chunked'], '0\r\n\r\n')],
    ['a line that ends in LF alone', hiding(['X-Bare: a\nTransfer-Encoding: chunked'], '0\r\n\r\n')],
    ['a head that ends in LF alone', `GET /graphql HTTP/1.1\nHost: a\n\n${smuggled}`],
    ['CR alone in a value', hiding(['X-Bare: a\rTransfer-Encoding: chunked', 'Content-Length: 2'], '{}')],
    ['NUL in a value', hiding(['X-Nul: a\0b', 'Content-Length: 2'], '{}')],
    ['a chunk size that is too long', hiding(['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\n')],
    ['a chunk size with a prefix', hiding(['Transfer-Encoding: chunked'], '0x2\r\n{}\r\n0\r\n\r\n')],
    ['a chunk that ends in LF alone', hiding(['Transfer-Encoding: chunked'], '2\n{}\n0\n\n')],
    ['an unknown version', smuggled.replace('HTTP/1.1', 'HTTP/1.7')],
  ])(
    'is answered with 400 as a GraphQL request error, and its connection is closed: %s',
    async (_what, bytes) => {
      const responses = await exchange(bytes);
      expect(statusesIn(responses)).toEqual(['HTTP/1.1 400']);
      expect(responses).toMatch(/^connection: close\r$/im);
      expect(responses).toContain('"code":"BAD_REQUEST"');
      expect(shop.products.received).toEqual([]);
    },
  );

  it('is answered with 400 when it names two hosts', async () => {
    const responses = await exchange(
      hiding(['Host: evil.example', 'Connection: close', 'Content-Length: 2'], '{}'),
    );
    expect(statusesIn(responses)).toEqual(['HTTP/1.1 400']);
    expect(shop.products.received).toEqual([]);
  });

  it('is answered with 431 when it has too many header fields', async () => {
    const responses = await exchange(hiding([`X-Long: ${'x'.repeat(100_000)}`, 'Content-Length: 2'], '{}'));
    expect(statusesIn(responses)).toEqual(['HTTP/1.1 431']);
    expect(responses).toContain('"code":"HEADERS_TOO_LARGE"');
    expect(shop.products.received).toEqual([]);
  });

  it('counts as one request when it hides another one in its body', async () => {
    const body = JSON.stringify({ query: 'query A { nothing }', variables: { hidden: smuggled } });
    const responses = await exchange(
      [
        'POST /graphql HTTP/1.1',
        'Host: a',
        'Content-Type: application/json',
        'Connection: close',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(statusesIn(responses)).toEqual(['HTTP/1.1 200']);
    expect(responses).toContain('GRAPHQL_VALIDATION_FAILED');
    expect(shop.products.received).toEqual([]);
  });

  it('may be a GET, whose body is not read as the next request', async () => {
    const responses = await exchange(
      `GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    );
    expect(statusesIn(responses)).toEqual(['HTTP/1.1 400']);
    expect(shop.products.received).toEqual([]);
  });

  it('is answered in HTTP/1.1 when it asks for another protocol', async () => {
    const responses = await exchange(
      smuggled.replace(
        'Connection: close',
        'Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
      ),
    );
    expect(statusesIn(responses)).toEqual(['HTTP/1.1 200']);
  });
});
