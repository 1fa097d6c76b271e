import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';
import type { BodyInParts } from '@meridian/http';

import { inCoding } from '../../../src/pipeline/7-respond/content-coding.ts';

const decoders = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

async function codedParts(parts: BodyInParts, coding: keyof typeof decoders): Promise<BodyInParts> {
  const { body, headers } = await inCoding({ status: 200, headers: {}, body: parts }, coding);
  expect(headers).toEqual({ 'Content-Encoding': coding });
  return body as BodyInParts;
}

describe.each(['gzip', 'br', 'zstd'] as const)('A body in parts with the coding %s', (coding) => {
  it('lets each part out before it asks for the next one', async () => {
    const parts = ['a', 'é'.repeat(100_000), Buffer.from('c'), 'the end'];
    let requested = 0;
    const given = (async function* given() {
      for (const part of parts) {
        requested += 1;
        yield await Promise.resolve(part);
      }
    })();
    const decoder = decoders[coding]();
    let decoded = '';
    decoder.setEncoding('utf8').on('data', (text: string) => (decoded += text));
    let expected = '';
    let count = 0;
    for await (const part of await codedParts(given, coding)) {
      await new Promise((resolve) => decoder.write(part, resolve));
      expected += parts[count]?.toString() ?? '';
      count += 1;
      expect(decoded).toBe(expected);
      expect(requested).toBe(Math.min(count, parts.length));
    }
    await new Promise<void>((resolve) => decoder.on('end', resolve).end());
    expect(decoded).toBe(parts.join(''));
  });

  it('is returned while a part is awaited, and passes an error on', async () => {
    let returned = 0;
    const pending = Promise.withResolvers<IteratorResult<string>>();
    const iterator = (
      await codedParts(
        {
          [Symbol.asyncIterator]: () => ({
            next: () => pending.promise,
            async return() {
              returned += 1;
              return await Promise.resolve({ done: true, value: undefined });
            },
          }),
        },
        coding,
      )
    )[Symbol.asyncIterator]();
    const next = iterator.next();
    await iterator.return?.();
    expect(returned).toBe(1);
    pending.reject(new Error('gone'));
    await expect(next).rejects.toThrow('gone');
  });
});
