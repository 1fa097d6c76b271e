import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

import type { StopSignal } from '@meridian/cancellation';

import { createSerialQueue } from '../../concurrency/serial-queue.ts';
import { requestError } from '../../errors/request-error.ts';
import type { BodyCoding } from '../../http/body-coding.ts';

const decompressors = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
} satisfies Record<BodyCoding, unknown>;

/** Decodes the content coding of a body. */
export type DecompressBody = (bytes: Buffer, coding: BodyCoding, signal: StopSignal) => Promise<Buffer>;

/**
 * Decodes content codings up to the size limit, so that a decompression bomb is never held whole. It decodes one body
 * at a time, off the event loop, because a few bytes can also demand a window of 16 MiB.
 *
 * @throws {RequestError} PAYLOAD_TOO_LARGE, or BAD_REQUEST when the bytes are not of that coding
 */
export function createDecompressor(maxBytes: number): DecompressBody {
  const queue = createSerialQueue();
  return async (bytes, coding, signal) => {
    try {
      return await queue(async () => {
        signal.throwIfAborted();
        return await decompressors[coding](bytes, { maxOutputLength: maxBytes });
      });
    } catch (error) {
      if (signal.aborted) {
        throw signal.reason;
      }
      throw isTooLarge(error)
        ? requestError('PAYLOAD_TOO_LARGE', `The body is over ${maxBytes} bytes when it is decompressed`)
        : requestError('BAD_REQUEST', `The body is not valid ${coding}`);
    }
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
