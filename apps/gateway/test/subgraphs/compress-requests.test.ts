import { createServer as createHttp2Server } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StopController } from '@meridian/cancellation';
import type { SubgraphRequest, SubgraphResponse } from '@meridian/executor';
import { composeInterceptors, createSubgraphClient } from '@meridian/executor';
import { listenOnLoopback } from '@meridian/testing';

import { compressRequests } from '../../src/subgraphs/compress-requests.ts';
import { signRequests } from '../../src/subgraphs/sign-requests.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** Says in which encoding a body came, and what it was. */
async function echo(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): Promise<void> {
  const body = await buffer(request);
  const encoding = request.headers['content-encoding'] as keyof typeof decoders | undefined;
  const text = encoding === undefined ? String(body) : String(decoders[encoding](body));
  response.end(JSON.stringify({ encoding, length: request.headers['content-length'], text }));
}

const body = JSON.stringify({ query: '{ a(text: "Ä€😀") }', variables: { list: Array(500).fill('same') } });

describe('compressRequests', () => {
  const http2 = createHttp2Server((request, response) => void echo(request, response));
  const client = createSubgraphClient();
  const http1 = useInSuite(() => listenOnLoopback((request, response) => void echo(request, response)));
  beforeAll(() => new Promise<void>((resolve) => void http2.listen(0, '127.0.0.1', resolve)));
  afterAll(async () => {
    await client.close();
    await new Promise<unknown>((resolve) => void http2.close(resolve));
  });

  it.each(
    (['gzip', 'deflate', 'br'] as const).flatMap((encoding) =>
      [false, true].map((isHttp2Required) => [encoding, isHttp2Required ? 'HTTP/2' : 'HTTP/1.1'] as const),
    ),
  )('sends the body in %s over %s', async (encoding, version) => {
    const isHttp2Required = version === 'HTTP/2';
    const url = isHttp2Required ? `http://127.0.0.1:${(http2.address() as AddressInfo).port}/` : http1.url;
    const call = composeInterceptors<SubgraphRequest<unknown>, Promise<SubgraphResponse>>(
      [compressRequests(encoding)],
      client.exchangeWith({ url, timeoutMs: 10_000, maxResponseBytes: 100_000, isHttp2Required }),
    );
    for (const text of [body, '{"query":"{ b }"}', body]) {
      const { text: received } = await call({
        subgraph: 'a',
        operationKind: 'query',
        body: text,
        headers: { 'x-a': 'b' },
        signal: new StopController(),
        run: undefined,
      });
      const response = JSON.parse(String(received)) as { length: string };
      expect(response).toMatchObject({ encoding, text });
      expect(Number(response.length)).toBeLessThan(text === body ? 300 : 50);
    }
  });

  it('is before the signature, which covers what is sent', async () => {
    const hashes: (string | undefined)[] = [];
    const signature = {
      hardcoded: {
        access_key_id: 'a',
        secret_access_key: 'b',
        region: 'r',
        service_name: 's3',
        assume_role: undefined,
      },
      default_chain: undefined,
    };
    const request = { subgraph: 'a', operationKind: 'query' as const, body, signal: new StopController() };
    for (const compress of [undefined, compressRequests<undefined>('gzip')]) {
      await composeInterceptors<SubgraphRequest<undefined>, Promise<SubgraphResponse>>(
        [compress, signRequests(signature, 'http://a.example/')],
        ({ headers }) => {
          hashes.push(headers['x-amz-content-sha256']);
          return Promise.resolve({ text: '', cacheControl: undefined });
        },
      )({ ...request, headers: {}, run: undefined });
    }
    expect(new Set(hashes).size).toBe(2);
  });
});

describe('traffic_shaping.*.compression', () => {
  const gateway = useTestGateway();
  const received: (string | undefined)[] = [];
  const products = useInSuite(() =>
    listenOnLoopback((request, response) => {
      received.push(request.headers['content-encoding']);
      request.resume();
      response.end('{"data":{"time":null}}');
    }),
  );

  it.each([
    ['all: { compression: br }', 'br'],
    ['all: { compression: br }, subgraphs: { products: { compression: gzip } }', 'gzip'],
    ['all: { compression: br }, subgraphs: { products: { compression: identity } }', undefined],
  ])('is a subgraph’s own, or the one for all: %s', async (shaping, encoding) => {
    received.length = 0;
    await gateway.start({
      config: `override_subgraph_url: { products: "${products.url}" }\ntraffic_shaping: { ${shaping} }`,
    });
    await gateway.post({ query: 'query Time { time }' });
    expect(received).toStrictEqual([encoding]);
  });
});
