import { SubgraphFailure } from '../subgraph-failure.ts';
import { ProtocolError, fieldLine, maxHeadBytes } from './message-syntax.ts';
import type { Framing } from './response-head.ts';

/** The body of a response as it arrives. */
export interface ResponseBody {
  readonly isComplete: boolean;
  /**
   * Takes a copy of what belongs to the body, and gives back what does not.
   *
   * @throws {SubgraphFailure} SUBREQUEST_MALFORMED_RESPONSE for a body that is over the cap
   * @throws {ProtocolError}
   */
  read(bytes: Buffer): Buffer;
  /** All of it. */
  bytes(): Buffer;
}

/** @throws {SubgraphFailure} where the body says that it is over the cap */
export function createResponseBody(framing: Framing, maxBytes: number): ResponseBody {
  if (framing === 'chunked') {
    return new ChunkedBody(maxBytes);
  }
  return framing === 'until close' ? new UnboundedBody(maxBytes) : new SizedBody(framing, maxBytes);
}

const nothing = Buffer.alloc(0);

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', `the response is over ${maxBytes} bytes`);
  }
}

class SizedBody implements ResponseBody {
  readonly #bytes: Buffer;
  #missingBytes: number;

  constructor(size: number, maxBytes: number) {
    checkSize(size, maxBytes);
    this.#bytes = Buffer.allocUnsafe(size);
    this.#missingBytes = size;
  }

  get isComplete(): boolean {
    return this.#missingBytes === 0;
  }

  read(bytes: Buffer): Buffer {
    const copied = bytes.copy(this.#bytes, this.#bytes.length - this.#missingBytes);
    this.#missingBytes -= copied;
    return copied === bytes.length ? nothing : bytes.subarray(copied);
  }

  bytes(): Buffer {
    return this.#bytes;
  }
}

/** A body that ends with the connection: only its reader knows that it is complete. */
class UnboundedBody implements ResponseBody {
  readonly isComplete: boolean = false;
  readonly #parts: Buffer[] = [];
  readonly #maxBytes: number;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  read(bytes: Buffer): Buffer {
    this.expect(bytes.length);
    this.#size += bytes.length;
    this.#parts.push(Buffer.from(bytes));
    return nothing;
  }

  bytes(): Buffer {
    const [first = nothing, second] = this.#parts;
    return second === undefined ? first : Buffer.concat(this.#parts, this.#size);
  }

  /** @throws {SubgraphFailure} where more bytes would be over the cap */
  expect(bytes: number): void {
    checkSize(this.#size + bytes, this.#maxBytes);
  }
}

const lineFeed = 0x0a;
const chunkLine = /^([0-9A-Fa-f]{1,8})(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const maxChunkLineBytes = 4096;

/** RFC 9112 §7.1. Extensions and trailers are read, and have no meaning. */
class ChunkedBody implements ResponseBody {
  isComplete = false;
  readonly #data: UnboundedBody;
  #expected: 'chunk' | 'end of chunk' | 'trailer' = 'chunk';
  /** Of the chunk that is being read. */
  #missingBytes = 0;
  /** As far as it has arrived. */
  #line = '';
  #trailerBytes = 0;

  constructor(maxBytes: number) {
    this.#data = new UnboundedBody(maxBytes);
  }

  read(bytes: Buffer): Buffer {
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      at = this.#missingBytes > 0 ? this.#readData(bytes, at) : this.#readLine(bytes, at);
    }
    return bytes.subarray(at);
  }

  bytes(): Buffer {
    return this.#data.bytes();
  }

  #readData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#missingBytes);
    this.#data.read(bytes.subarray(at, end));
    this.#missingBytes -= end - at;
    return end;
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lineFeed, at);
    this.#line += bytes.toString('latin1', at, end === -1 ? bytes.length : end);
    const isTooLong = this.#line.length > (this.#expected === 'trailer' ? maxHeadBytes : maxChunkLineBytes);
    if (isTooLong) {
      throw new ProtocolError('the response has a line between its chunks that does not end');
    }
    if (end === -1) {
      return bytes.length;
    }
    if (!this.#line.endsWith('\r')) {
      throw new ProtocolError('the response has a bare line feed between its chunks');
    }
    this.#takeLine(this.#line.slice(0, -1));
    this.#line = '';
    return end + 1;
  }

  #takeLine(line: string): void {
    switch (this.#expected) {
      case 'chunk': {
        const [, size] = chunkLine.exec(line) ?? [];
        if (size === undefined) {
          throw new ProtocolError('the response has a chunk of no size');
        }
        this.#missingBytes = Number.parseInt(size, 16);
        this.#data.expect(this.#missingBytes);
        this.#expected = this.#missingBytes === 0 ? 'trailer' : 'end of chunk';
        return;
      }
      case 'end of chunk':
        if (line !== '') {
          throw new ProtocolError('the response has a chunk that is longer than it says');
        }
        this.#expected = 'chunk';
        return;
      case 'trailer':
      default:
        this.#takeTrailer(line);
    }
  }

  #takeTrailer(line: string): void {
    if (line === '') {
      this.isComplete = true;
      return;
    }
    this.#trailerBytes += line.length;
    if (!fieldLine.test(line) || this.#trailerBytes > maxHeadBytes) {
      throw new ProtocolError('the response has a malformed trailer field, or too many');
    }
  }
}
