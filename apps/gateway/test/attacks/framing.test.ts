// Requests that two servers in a row could read differently, over raw sockets, to the gateway as a process.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceProcess } from '@meridian/testing';
import { field, frame, headFrames, preface, startServiceProcess } from '@meridian/testing';

import { useTestGateway } from '../support/use-test-gateway.ts';
import { useFolder } from '../support/use-folder.ts';
import { certificateFiles } from './attacked-process.ts';

/** Only for its subgraphs and its supergraph file. */
const shop = useTestGateway();
let gateway: ServiceProcess;
let secure: ServiceProcess;
const directory = useFolder();

beforeAll(async () => {
  await shop.start();
  const overlay = join(directory, 'overlay.yaml');
  await writeFile(overlay, JSON.stringify({ tls: { supergraph: await certificateFiles(directory) } }));
  const env = {
    SUPERGRAPH_PATH: shop.supergraphPath,
    ROUTER_CONFIG_PATH: fileURLToPath(new URL('open.router.yaml', import.meta.url)),
  };
  const main = new URL('../../src/main.ts', import.meta.url);
  [gateway, secure] = await Promise.all([
    startServiceProcess(main, env),
    startServiceProcess(main, { ...env, ROUTER_CONFIG_OVERLAY_PATH: overlay }),
  ]);
});
afterAll(() => Promise.all([gateway.stop(), secure.stop(), shop.close()]));

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
async function exchangeOver(transport: 'TCP' | 'TLS', bytes: string): Promise<string> {
  const { port } = new URL((transport === 'TLS' ? secure : gateway).url);
  const place = { host: '127.0.0.1', port: Number(port) };
  const socket =
    transport === 'TLS' ? connectSecurely({ ...place, rejectUnauthorized: false }) : connect(place);
  socket.on('error', () => undefined);
  socket.write(Buffer.from(bytes, 'latin1'));
  return await text(socket);
}

const statusesIn = (responses: string): string[] => responses.match(/HTTP\/1\.1 \d+/g) ?? [];

describe.each(['TCP', 'TLS'] as const)('An ambiguous HTTP/1.1 request over %s', (transport) => {
  const exchange = (bytes: string): Promise<string> => exchangeOver(transport, bytes);

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

describe('An ambiguous HTTP/2 request', () => {
  const usual = { method: 'POST', scheme: 'https', authority: 'a', path: '/graphql' };

  /** A request with these further fields, and these bytes for its body. */
  function request(fields: readonly (readonly [string, string])[], body = smuggledBody, pseudo = {}): string {
    const all = [
      ...Object.entries({ ...usual, ...pseudo }).map(([name, value]) => [`:${name}`, value] as const),
      ['content-type', 'application/json'] as const,
      ...fields,
    ];
    const head = headFrames(1, all.map(([name, value]) => field(name, value)).join(''), { ends: false });
    return head + frame(0, 1, 1, body);
  }

  /** The end of a request. */
  async function outcomeOf(bytes: string): Promise<string> {
    const { port } = new URL(secure.url);
    const socket: TLSSocket = connectSecurely({
      host: '127.0.0.1',
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    });
    await once(
      socket.on('error', () => undefined),
      'secureConnect',
    );
    socket.write(preface + bytes, 'latin1');
    let received = '';
    const isOver = (): boolean => framesOf(received).some(({ stream, type }) => stream === 1 && type !== 8);
    for await (const chunk of socket.setEncoding('latin1')) {
      received += String(chunk);
      if (isOver()) {
        break;
      }
    }
    socket.destroy();
    const outcome = framesOf(received).find(({ stream, type }) => (stream === 1 && type !== 8) || type === 7);
    return outcome === undefined ? 'closed' : (typeNames[outcome.type] ?? '');
  }

  const typeNames: Readonly<Record<number, string>> = { 1: 'responded', 3: 'reset', 7: 'closed' };

  function framesOf(received: string): { type: number; stream: number }[] {
    const frames = [];
    const bytes = Buffer.from(received, 'latin1');
    for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
      frames.push({ type: bytes.readUInt8(at + 3), stream: bytes.readUInt32BE(at + 5) });
    }
    return frames;
  }

  it('is served once its ambiguity is removed', async () => {
    expect(await outcomeOf(request([]))).toBe('responded');
    expect(shop.products.received).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['chunks', request([['transfer-encoding', 'chunked']], `0\r\n\r\n${smuggled}`)],
    ['a connection field', request([['connection', 'close']])],
    ['an upgrade', request([['upgrade', 'h2c']])],
    ['a length that is too small', request([['content-length', '2']])],
    ['a length that is too large', request([['content-length', '2000']])],
    [
      'two lengths',
      request([
        ['content-length', '2'],
        ['content-length', '34'],
      ]),
    ],
    ['capital letters in a name', request([['Transfer-Encoding', 'chunked']])],
    ['a space in the path', request([], smuggledBody, { path: '/graphql HTTP/1.1' })],
    ['a line end in the path', request([], smuggledBody, { path: '/graphql\r\nx: y' })],
    ['a line end in the host', request([], smuggledBody, { authority: 'a\r\nx: y' })],
    ['a line end in the method', request([], smuggledBody, { method: 'POST\r\nx: y' })],
    ['two paths', request([[':path', '/other']])],
    ['a pseudo-header field after the others', request([[':scheme', 'http']])],
    ['an unknown pseudo-header field', request([], smuggledBody, { other: 'x' })],
    ['no path', request([], smuggledBody, { path: '' })],
  ])('never reaches a subgraph: %s', async (_what, bytes) => {
    expect(await outcomeOf(bytes)).toMatch(/^(?:reset|closed)$/);
    expect(shop.products.received).toEqual([]);
  });

  // Node's HTTP/2 leaves such fields out, and says nothing of them.
  it.each<[string, string]>([
    ['a line end in a value', request([['x-a', `b\r\n\r\n${smuggled}`]])],
    ['LF in a value', request([['x-a', 'b\ntransfer-encoding: chunked']])],
    ['NUL in a value', request([['x-a', 'b\0']])],
    ['a line end in a name', request([['x-a: b\r\nx', 'c']])],
  ])('is served without the field that has %s', async (_what, bytes) => {
    expect(await outcomeOf(bytes)).toBe('responded');
    expect(shop.products.received).toHaveLength(1);
    expect(JSON.stringify(shop.products.received)).not.toMatch(/x-a|transfer-encoding/u);
  });

  it('is a request error where it names two hosts', async () => {
    expect(await outcomeOf(request([['host', 'evil.example']]))).toBe('responded');
    expect(shop.products.received).toEqual([]);
  });
});
