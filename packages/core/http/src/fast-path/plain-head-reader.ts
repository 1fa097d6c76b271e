import type { PlainHead, PlainHeadLimits } from './plain-head.ts';
import { readPlainHead } from './plain-head.ts';
import { defaultHeadLimits } from '../server/message-rules.ts';

/** A head that was read, and its bytes. */
interface KnownHead {
  readonly head: PlainHead;
  /** With memory of their own: a small buffer would keep the whole pool of buffers that it is part of. */
  readonly bytes: Uint8Array;
}

/** The number of heads that are kept for a connection. The heads of one client mostly differ in `Content-Length`. */
const maxKnownHeads = 4;
/** The longest head that is kept, in bytes: with its fields as objects, it takes up to four times as much. */
const maxKnownBytes = 4096;

/**
 * Reads the heads of the requests of one connection. Most requests have the same head as a recent one, byte for byte:
 * comparing it takes a tenth of reading it.
 */
export class PlainHeadReader {
  readonly #limits: PlainHeadLimits;
  readonly #known: KnownHead[] = [];
  /** The next one to be replaced. */
  #oldest = 0;

  constructor(limits: PlainHeadLimits = defaultHeadLimits) {
    this.#limits = limits;
  }

  /** The head at the start of these bytes; undefined where it is not plain. */
  read(bytes: Buffer): PlainHead | undefined {
    for (const known of this.#known) {
      const { length } = known.bytes;
      if (bytes.length >= length && bytes.compare(known.bytes, 0, length, 0, length) === 0) {
        return known.head;
      }
    }
    const head = readPlainHead(bytes, this.#limits);
    if (head !== undefined && head.headBytes <= maxKnownBytes) {
      this.#known[this.#oldest] = { head, bytes: new Uint8Array(bytes.subarray(0, head.headBytes)) };
      this.#oldest = (this.#oldest + 1) % maxKnownHeads;
    }
    return head;
  }

  /** Drops the heads that are kept: an idle connection needs no memory for them. */
  forget(): void {
    this.#known.length = 0;
    this.#oldest = 0;
  }
}
