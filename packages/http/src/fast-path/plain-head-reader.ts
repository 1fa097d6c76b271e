import type { PlainHead } from './plain-head.ts';
import { readPlainHead } from './plain-head.ts';

/**
 * Reads the heads of the requests of one connection. Consecutive requests mostly have the same head, byte for byte, or
 * one of a few lengths: comparing it takes a tenth of reading it.
 */
export class PlainHeadReader {
  #head: PlainHead | undefined;
  #bytes: Buffer | undefined;

  /** The head at the start of these bytes; undefined where it is not plain. */
  read(bytes: Buffer): PlainHead | undefined {
    const known = this.#bytes;
    if (
      known !== undefined &&
      bytes.length >= known.length &&
      bytes.compare(known, 0, known.length, 0, known.length) === 0
    ) {
      return this.#head;
    }
    const head = readPlainHead(bytes);
    if (head !== undefined) {
      this.#head = head;
      this.#bytes = Buffer.from(bytes.subarray(0, head.headBytes));
    }
    return head;
  }
}
