import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

import { createTurns } from '../../reload/serial-queue.ts';
import { refusal } from '../../errors/request-error.ts';

/** The content codings that a body may have. RFC 9110 §8.4.1. */
const decompressors = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
} as const;

export type BodyCoding = keyof typeof decompressors;

/** What a client is told that sent another one. RFC 9110 §12.5.3. */
const acceptedCodings = 'gzip, br, deflate';

/**
 * The content coding of a body; undefined for one without.
 *
 * @throws {Refusal} UNSUPPORTED_MEDIA_TYPE for one that is not undone here, and for several
 */
export function bodyCoding(field: string | undefined): BodyCoding | undefined {
  const name = field?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') {
    return undefined;
  }
  if (!isCoding(name)) {
    throw refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body may have one of the content codings ${acceptedCodings}, or none`,
      { headers: { 'Accept-Encoding': acceptedCodings } },
    );
  }
  return name;
}

function isCoding(name: string): name is BodyCoding {
  return Object.hasOwn(decompressors, name);
}

/** Undoes the content coding of a body. */
export type DecompressBody = (bytes: Buffer, coding: BodyCoding, signal: AbortSignal) => Promise<Buffer>;

/**
 * Creates what undoes content codings, as far as the cap: what a few bytes blow up into is never held whole. It takes one body at a
 * time, beside the event loop, since a few bytes can also ask for a window of 16 MiB.
 *
 * @throws {Refusal} PAYLOAD_TOO_LARGE, or BAD_REQUEST where the bytes are not of that coding
 */
export function createDecompressor(maxBytes: number): DecompressBody {
  const inTurn = createTurns();
  return async (bytes, coding, signal) => {
    try {
      return await inTurn(async () => {
        signal.throwIfAborted();
        return await decompressors[coding](bytes, { maxOutputLength: maxBytes });
      });
    } catch (error) {
      if (signal.aborted) {
        throw signal.reason;
      }
      throw isTooLarge(error)
        ? refusal('PAYLOAD_TOO_LARGE', `The body is over ${maxBytes} bytes when it is decompressed`)
        : refusal('BAD_REQUEST', `The body is not valid ${coding}`);
    }
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
