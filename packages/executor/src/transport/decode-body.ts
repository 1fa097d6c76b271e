import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';

import { SubgraphFailure } from './subgraph-failure.ts';

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
]);

export interface EncodedBody {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * The bytes of a body, decoded from any offered encoding; synchronous if it is not encoded.
 *
 * Rejects with a `SubgraphFailure`, SUBREQUEST_MALFORMED_RESPONSE, for another encoding, a broken body, and one that
 * is over the cap.
 */
export function decodeBody({ headers, body }: EncodedBody, maxBytes: number): Buffer | Promise<Buffer> {
  const encoding = headers['content-encoding'];
  return encoding === undefined ? body : decode(body, String(encoding).toLowerCase(), maxBytes);
}

async function decode(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  if (encoding === 'identity') {
    return body;
  }
  const decoder = decoders.get(encoding);
  if (decoder === undefined) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', `the response has the encoding ${encoding}`);
  }
  try {
    return await decoder(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', 'the response cannot be decoded', {
      cause: error,
    });
  }
}
