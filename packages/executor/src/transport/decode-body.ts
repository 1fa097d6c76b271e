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
 * The bytes of a body, whatever it is encoded with of what was offered.
 *
 * @throws {SubgraphFailure} SUBREQUEST_MALFORMED_RESPONSE for another encoding, a broken body, and one that is over the cap
 */
export async function decodeBody({ headers, body }: EncodedBody, maxBytes: number): Promise<Buffer> {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') {
    return body;
  }
  const decode = decoders.get(encoding);
  if (decode === undefined) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', `the answer has the encoding ${encoding}`);
  }
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', 'the answer cannot be decoded', {
      cause: error,
    });
  }
}
