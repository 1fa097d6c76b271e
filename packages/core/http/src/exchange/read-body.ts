import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import type { StopSignal } from '@meridian/cancellation';
import { problem } from '@meridian/problem-details';

import { createRequestSlot } from './request-slot.ts';
import { ClientDisconnected, DeadlineExceeded } from './early-end.ts';

export interface ReadBodyOptions {
  /** The most bytes that are read, as received. */
  readonly maxBytes: number;
  /** Stops reading: the request's signal, from `signalOf`. */
  readonly signal: StopSignal;
  /** Counts the bytes of a body that has not arrived completely. Default: what `limitLoad` left with the request. */
  readonly counter?: ByteCounter | undefined;
}

export interface ByteCounter {
  /** Called with each portion. What it throws stops reading. */
  count(bytes: number): void;
}

/**
 * Reads the whole body of a request. A body that has arrived already, as a small one mostly has when a request gets
 * here, is there at once.
 *
 * @throws {Problem} `malformed-body` as soon as the body is known to be over the cap; `request-timeout` when the
 * deadline passes while the client is still sending
 * @throws {ClientDisconnected} when the client goes away before the end of the body
 */
export function readBody(request: IncomingMessage, options: ReadBodyOptions): Buffer | Promise<Buffer> {
  const declaredBytes = checkDeclaredLength(request.headers, options);
  if (request.readableLength !== declaredBytes || request.destroyed) {
    return receiveBody(request, {
      counter: bodyCounter.peek(request),
      ...options,
      isComplete: () => request.complete,
    });
  }
  const body: Buffer = request.read() ?? noBytes;
  // Lets the end through, which has not been read yet.
  request.resume();
  return body;
}

/**
 * The length of a body as its head declares it; not a number where it does not.
 *
 * @throws {Problem} `malformed-body` for one over the cap, and what `stopped` says once the signal has aborted
 */
export function checkDeclaredLength(
  headers: IncomingHttpHeaders,
  { maxBytes, signal }: ReadBodyOptions,
): number {
  const declaredBytes = Number(headers['content-length'] ?? Number.NaN);
  if (declaredBytes > maxBytes) {
    throw bodyOverCap(maxBytes);
  }
  if (signal.aborted) {
    throw stopped(signal);
  }
  return declaredBytes;
}

/** For which a piece of a body counts at least: a chunk of one byte costs as much time as many bytes. */
export const minPieceBytes = 64;
/** The most bytes that the small pieces of a body may lack: 16 000 pieces of one byte. */
const maxLackingBytes = 1_048_576;

/** Reads a body that has not arrived completely. */
export async function receiveBody(
  request: Readable,
  { maxBytes, signal, counter, isComplete }: ReadBodyOptions & { readonly isComplete: () => boolean },
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces = new Pieces();
  let lackingBytes = 0;

  const take = (chunk: Buffer): void => {
    lackingBytes += Math.max(0, minPieceBytes - chunk.length);
    pieces.add(chunk);
    if (pieces.bytes > maxBytes) {
      reject(bodyOverCap(maxBytes));
      return;
    }
    if (lackingBytes > maxLackingBytes) {
      reject(problem('malformed-body', 'The body comes in too many small pieces.'));
      return;
    }
    try {
      counter?.count(chunk.length);
    } catch (error) {
      reject(error);
    }
  };
  const finish = (): void => resolve(pieces.joined());
  const disconnect = (): void => {
    // `close` also follows a request that was received completely.
    if (!isComplete()) {
      reject(new ClientDisconnected());
    }
  };
  const stop = (): void => reject(stopped(signal));

  request.on('data', take).on('end', finish).on('close', disconnect).on('error', disconnect);
  signal.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    if (!request.readableEnded) {
      // The rest is read and dropped while the response is sent; a later reset of the connection is irrelevant.
      request.off('data', take).off('end', finish).off('close', disconnect).resume();
    }
  }
}

/** A shorter piece is copied: alone, it holds some 200 bytes more, and in HTTP/2 also what came with it. */
const blockBytes = 4096;
const minBlockBytes = 256;

/** The pieces of a body. However short they are, they hold little more than twice their bytes. */
class Pieces {
  /** The pieces that all came before the block. */
  readonly #whole: Buffer[] = [];
  #block: Buffer = noBytes;
  #filledBytes = 0;
  bytes = 0;

  add(piece: Buffer): void {
    const isFirst = this.bytes === 0;
    this.bytes += piece.length;
    if (piece.length <= this.#block.length - this.#filledBytes) {
      piece.copy(this.#block, this.#filledBytes);
      this.#filledBytes += piece.length;
      return;
    }
    this.#endBlock();
    if (piece.length >= blockBytes || (isFirst && piece.buffer.byteLength <= 2 * blockBytes)) {
      this.#whole.push(piece);
      return;
    }
    this.#block = Buffer.allocUnsafeSlow(Math.max(minBlockBytes, Math.min(this.bytes, blockBytes)));
    this.#filledBytes = piece.copy(this.#block);
  }

  /** Copies nothing where one piece is all. */
  joined(): Buffer {
    this.#endBlock();
    const [first = noBytes] = this.#whole;
    return this.#whole.length < 2 ? first : Buffer.concat(this.#whole, this.bytes);
  }

  #endBlock(): void {
    if (this.#filledBytes > 0) {
      this.#whole.push(this.#block.subarray(0, this.#filledBytes));
      this.#block = noBytes;
      this.#filledBytes = 0;
    }
  }
}

/** Filled by `limitLoad`. */
export const bodyCounter = createRequestSlot<ByteCounter>('limitLoad');

const noBytes = Buffer.alloc(0);

/** The error of a body that is over the cap. */
export function bodyOverCap(maxBytes: number): Error {
  return problem('malformed-body', `The body is over ${maxBytes} bytes.`);
}

/** The error of a body that was awaited when its signal aborted. */
export function stopped(signal: StopSignal): unknown {
  return signal.reason instanceof DeadlineExceeded
    ? problem('request-timeout', 'The body did not arrive completely in time.', {
        headers: { Connection: 'close' },
      })
    : signal.reason;
}
