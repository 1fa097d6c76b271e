import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { preferredCoding } from '../../../src/pipeline/7-respond/content-coding.ts';
import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const long = 'query Long { topProducts(first: 100) { id name price } }';
const short = 'query Short { topProducts(first: 1) { id } }';
const decoders = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

const gateway = useTestGateway();

beforeAll(() => gateway.start());
interface Exchange {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** Sends an operation by GET, and takes the answer as it comes: `fetch` would undo its coding. */
async function get(
  query: string,
  headers: Readonly<Record<string, string>> = {},
  at = gateway.url,
): Promise<Exchange> {
  const target = `${at}?${new URLSearchParams({ query }).toString()}`;
  return await responseTo(
    request(target, { headers: { 'apollo-require-preflight': 'yes', ...headers } }).end(),
  );
}

async function post(query: string, headers: Readonly<Record<string, string>>): Promise<Exchange> {
  const sent = request(gateway.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return await responseTo(sent.end(JSON.stringify({ query })));
}

async function responseTo(sent: ReturnType<typeof request>): Promise<Exchange> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

const codingOf = ({ headers }: Exchange): string | undefined => headers['content-encoding'];

describe('A response to a client that accepts a content coding', () => {
  it.each(['gzip', 'br', 'zstd'] as const)(
    'is compressed with %s, and decodes to the same bytes',
    async (coding) => {
      const plain = await get(long);
      const coded = await get(long, { 'Accept-Encoding': coding });
      expect([codingOf(plain), codingOf(coded)]).toEqual([undefined, coding]);
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(coded.headers['content-length']).toBe(String(coded.bytes.length));
      expect(decoders[coding](coded.bytes).toString()).toBe(plain.bytes.toString());
    },
  );

  it('is compressed for POST as well, and when it is large', async () => {
    const query = `query Larger { ${Array.from({ length: 20 }, (_, n) => `a${n}: topProducts(first: 100) { id name price }`).join(' ')} }`;
    const [plain, coded] = [await post(query, {}), await post(query, { 'Accept-Encoding': 'br' })];
    expect(plain.bytes.length).toBeGreaterThan(65_536);
    expect(brotliDecompressSync(coded.bytes).toString()).toBe(plain.bytes.toString());
  });

  it('is uncompressed when it is short, of a mutation, or for a caller whom the browser authenticates', async () => {
    const accepting = { 'Accept-Encoding': 'gzip' };
    const mutation = `mutation Rename { rename(id: 1, name: "${'x'.repeat(3000)}") { id name } }`;
    expect(codingOf(await get(short, accepting))).toBeUndefined();
    const renamed = await post(mutation, accepting);
    expect([codingOf(renamed), renamed.bytes.length > 3000]).toEqual([undefined, true]);
    expect(codingOf(await get(long, { ...accepting, Cookie: 'a=b' }))).toBeUndefined();
    expect(codingOf(await get(long, { ...accepting, Authorization: 'Basic YTpi' }))).toBeUndefined();
    expect(codingOf(await get(long, { ...accepting, Authorization: 'Bearer abc' }))).toBe('gzip');
  });

  it('varies, and has a validator of its own', async () => {
    const [plain, gzip, br] = [
      await get(long),
      await get(long, { 'Accept-Encoding': 'gzip' }),
      await get(long, { 'Accept-Encoding': 'br' }),
    ];
    const tags = [plain, gzip, br].map(({ headers }) => headers.etag ?? '');
    expect(new Set(tags).size).toBe(3);
    for (const { headers } of [plain, gzip, br]) {
      expect(headers.vary).toContain('Accept-Encoding');
    }
    expect((await get(short)).headers.vary).not.toContain('Accept-Encoding');
    const again = { 'If-None-Match': tags[1] ?? '' };
    expect((await get(long, { 'Accept-Encoding': 'gzip', ...again })).status).toBe(304);
    expect((await get(long, again)).status).toBe(200);
  });

  it('is uncompressed when compression is off in the configuration', async () => {
    await using plain = await startTestGateway({ config: 'meridian: { compression: { enabled: false } }' });
    const response = await get(long, { 'Accept-Encoding': 'gzip' }, plain.url);
    expect([codingOf(response), response.headers.vary]).toEqual([
      undefined,
      expect.not.stringContaining('Encoding'),
    ]);
  });
});

describe('preferredCoding', () => {
  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['GZIP ; Q=0.3', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.1, zstd;q=0, br', 'br'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0', undefined],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=much', undefined],
    ['', undefined],
    ['gzip,'.repeat(50), undefined],
    [undefined, undefined],
  ])('of %j is %s', (field, coding) => {
    expect(preferredCoding(field)).toBe(coding);
  });
});
