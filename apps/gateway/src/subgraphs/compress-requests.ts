import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';

import type { SubgraphInterceptor } from '@meridian/executor';

import type { SubgraphSettings } from '../config/subgraph-settings.ts';

/** As responses to clients are: a higher quality costs more time than it saves. */
const brotliQuality = 4;

const toBrotli = promisify(brotliCompress);

const encoders = {
  gzip: promisify<string, Buffer>(gzip),
  deflate: promisify<string, Buffer>(deflate),
  br: (text: string) => toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
};

/** Encodes the body of each request. */
export function compressRequests<Run>(
  encoding: NonNullable<SubgraphSettings['compression']>,
): SubgraphInterceptor<Run> {
  const encode = encoders[encoding];
  return async (request, next) =>
    await next({
      ...request,
      encodedBody: await encode(request.body),
      headers: { ...request.headers, 'content-encoding': encoding },
    });
}
