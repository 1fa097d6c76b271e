import { isUtf8 } from 'node:buffer';

import { bailOut } from './fast-path-bailout.ts';
import type { FixedText } from './fixed-text.ts';
import { InternTable } from './intern-table.ts';

/** Allocates a buffer, whose bytes may be anything. */
export type AllocateBuffer = (length: number) => Buffer;

export const allocateBuffer: AllocateBuffer = (length) => Buffer.allocUnsafe(length);

/** The structural bytes. RFC 8259 §2. */
export const byte = {
  /** In no JSON. */
  nothing: 0x00,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  upperE: 0x45,
  e: 0x65,
  f: 0x66,
  n: 0x6e,
  t: 0x74,
} as const;

const initialBytes = 2 ** 16;
const initialWords = 2 ** 12;
/** Longer executions take the slow path: every position on a tape is a 32-bit integer. */
const maxBytes = 2 ** 29;
const maxWords = 2 ** 26;
/** Above this, in bytes, a call is faster than a loop. */
const longLength = 192;
/** Bytes that may be read and written after the end, because several are at a time. */
const slack = 16;

/**
 * The memory of one run: subgraph responses, the texts that are built from them, and objects. All of it is in two
 * arrays, so that a run leaves almost nothing for the garbage collector, whatever its size.
 */
export class Tape {
  /** Responses, representations and data, one after another. Every spliced text is a range of these bytes. */
  bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  /** The same bytes, for reading several at once. */
  view = viewOf(this.bytes);
  /** The position after the last byte. */
  end = 0;
  /** The reading position. */
  position = 0;
  /** The start of the response that is being read. */
  responseStart = 0;
  /** The position after its last byte. */
  responseEnd = 0;
  /** Objects and lists: `spliced-object.ts` says how. */
  words = new Int32Array(initialWords);
  /** Finds objects, or representations, with equal texts. */
  readonly equals = new InternTable();
  /** Position zero is reserved as "none". */
  #wordsEnd = 1;

  /** Clears it for the next run. */
  clear(): void {
    this.end = 0;
    this.#wordsEnd = 1;
    this.equals.clear();
  }

  /** The memory that it holds, in bytes. */
  get size(): number {
    return this.bytes.length + this.words.byteLength + this.equals.size;
  }

  /** Puts a response on the tape, to be read from its start. Bails out on malformed UTF-8. */
  load(response: string | Buffer): void {
    const bytes = typeof response === 'string' ? Buffer.from(response) : response;
    // Decoding replaces malformed UTF-8, but spliced bytes would keep it.
    if (typeof response === 'string' ? !response.isWellFormed() : !isUtf8(bytes)) {
      bailOut();
    }
    this.#startResponse();
    this.write(bytes);
    this.#endResponse();
  }

  /** Puts a response that was loaded before on the tape again. */
  loadAgain(start: number, end: number): void {
    this.#startResponse();
    this.copy(start, end);
    this.#endResponse();
  }

  #startResponse(): void {
    this.position = this.end;
    this.responseStart = this.end;
  }

  #endResponse(): void {
    this.responseEnd = this.end;
    // Reading past the end meets a byte that is invalid in JSON.
    this.writeByte(byte.nothing);
    this.#reserve(slack);
  }

  /** Ends the loaded response here, before its previous end. */
  shrinkResponse(end: number): void {
    this.responseEnd = end;
    this.bytes[end] = byte.nothing;
    this.end = end + 1;
  }

  write(text: Uint8Array): void {
    this.#reserve(text.length);
    this.bytes.set(text, this.end);
    this.end += text.length;
  }

  writeFixed({ length, words }: FixedText): void {
    this.#reserve(length + slack);
    const { view, end } = this;
    let at = end;
    for (let index = 0; index < words.length; index += 1) {
      view.setInt32(at, words[index] ?? 0, true);
      at += 4;
    }
    this.end = end + length;
  }

  writeByte(value: number): void {
    this.#reserve(1);
    this.bytes[this.end] = value;
    this.end += 1;
  }

  /** Copies a range of the tape to its end. */
  copy(start: number, end: number): void {
    const length = end - start;
    this.#reserve(length + slack);
    const to = this.end;
    if (length > longLength) {
      this.bytes.copyWithin(to, start, end);
    } else {
      const { view } = this;
      // V8 makes no BigInt for a value that is only copied.
      for (let at = 0; at < length; at += 16) {
        view.setBigInt64(to + at, view.getBigInt64(start + at, true), true);
        view.setBigInt64(to + at + 8, view.getBigInt64(start + at + 8, true), true);
      }
    }
    this.end = to + length;
  }

  /** A copy of a range of the tape, with memory of its own. */
  copyOf(start: number, end: number, allocate = allocateBuffer): Buffer {
    const copy = allocate(end - start);
    this.bytes.copy(copy, 0, start, end);
    return copy;
  }

  /** Allocates words that are zero. Returns the position of the first. */
  allocate(count: number): number {
    const start = this.#wordsEnd;
    const end = start + count;
    if (end > this.words.length) {
      this.#growWords(end);
    }
    this.#wordsEnd = end;
    const { words } = this;
    for (let index = start; index < end; index += 1) {
      words[index] = 0;
    }
    return start;
  }

  /** Frees the words from `start` on; nothing may reference them yet. */
  release(start: number): void {
    this.#wordsEnd = start;
  }

  #reserve(length: number): void {
    const end = this.end + length;
    if (end > this.bytes.length) {
      this.#growBytes(end);
    }
  }

  #growBytes(min: number): void {
    const grown = Buffer.allocUnsafeSlow(grownSize(this.bytes.length, min, maxBytes));
    this.bytes.copy(grown, 0, 0, this.end);
    this.bytes = grown;
    this.view = viewOf(grown);
  }

  #growWords(min: number): void {
    const grown = new Int32Array(grownSize(this.words.length, min, maxWords));
    grown.set(this.words);
    this.words = grown;
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

function grownSize(size: number, min: number, max: number): number {
  return min > max ? bailOut() : Math.min(max, Math.max(min, Math.ceil(size * 1.5)));
}
