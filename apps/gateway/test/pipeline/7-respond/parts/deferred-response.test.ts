import { describe, expect, it } from '@jest/globals';

import type { RunBatch } from '../../../../src/operation/run.ts';
import { deferredResponse } from '../../../../src/pipeline/7-respond/parts/deferred-parts.ts';

const fragment = { label: undefined, path: ['product'] };
const compression = { enabled: true, min_size: 1 };

describe('deferredResponse', () => {
  const respond = (headers: Readonly<Record<string, string>>, batches: AsyncIterable<RunBatch<never>>) =>
    deferredResponse(
      { type: 'query', headers, format: 'defer-20220824' },
      {
        data: '{"product":{"id":"1"}}',
        errors: [],
        pending: [fragment],
        batches,
        failed: () => [],
        onPart: () => {},
      },
      compression,
    );
  async function* oneBatch(): AsyncGenerator<RunBatch<never>, void, void> {
    yield await Promise.resolve({ completed: [{ fragment, data: '{"price":1}', errors: [] }], pending: [] });
  }

  it('frames its parts as Apollo Router does', async () => {
    const { headers, body } = await respond({}, oneBatch());
    expect(headers).toEqual({
      'Content-Type': 'multipart/mixed;boundary="graphql";deferSpec=20220824',
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Encoding',
      'X-Accel-Buffering': 'no',
    });
    const texts = [];
    for await (const text of body as AsyncIterable<string>) {
      texts.push(text);
    }
    expect(texts).toEqual([
      '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{"data":{"product":{"id":"1"}},"hasNext":true}\r\n--graphql',
      '\r\ncontent-type: application/json\r\n\r\n{"hasNext":false,"incremental":[{"path":["product"],"data":{"price":1}}]}\r\n--graphql--\r\n',
    ]);
  });

  it('is for its caller alone, and may be compressed', async () => {
    const headers = { authorization: 'Bearer a', 'accept-encoding': 'br' };
    expect((await respond(headers, oneBatch())).headers).toMatchObject({
      'Cache-Control': 'private, no-store',
      'Content-Encoding': 'br',
      Vary: 'Accept, Authorization, Accept-Encoding',
    });
  });
});
