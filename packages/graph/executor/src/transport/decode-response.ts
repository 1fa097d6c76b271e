import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';

import { SubgraphFailure, failureOfStatus } from './subgraph-failure.ts';
import type { SubgraphResponse } from './subgraph-transport.ts';

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Decodes the body of a response from any offered encoding; synchronous where there is nothing to decode. Rejects with a `SubgraphFailure` for a status other than
 * 2xx, and for a body in another encoding, a broken one, and one that is over the limit once it is decoded. The failure
 * has the body of an error response that may be a GraphQL response.
 */
export function decodeResponse(
  response: SubgraphResponse,
  maxBytes: number,
): SubgraphResponse | Promise<SubgraphResponse> {
  const { status = 200, contentEncoding } = response;
  if (status > 299) {
    return failWithStatus(status, response, maxBytes);
  }
  return contentEncoding === undefined ? response : decode(response, contentEncoding, maxBytes);
}

async function failWithStatus(status: number, response: SubgraphResponse, maxBytes: number): Promise<never> {
  let body: SubgraphResponse | undefined;
  try {
    body = await decode(response, response.contentEncoding ?? 'identity', maxBytes);
  } catch {
    // The status alone is the failure.
  }
  throw failureOfStatus(status, body?.text);
}

async function decode(
  { text, cacheControl, status = 200 }: SubgraphResponse,
  contentEncoding: string,
  maxBytes: number,
): Promise<SubgraphResponse> {
  const encoding = contentEncoding.toLowerCase();
  if (encoding === 'identity') {
    return { text, cacheControl, status };
  }
  const decoder = decoders.get(encoding);
  if (decoder === undefined) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', `the response has the encoding ${encoding}`);
  }
  try {
    return { text: await decoder(text, { maxOutputLength: maxBytes }), cacheControl, status };
  } catch (error) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', 'the response cannot be decoded', {
      cause: error,
    });
  }
}
