import { SubgraphFailure } from '../subgraph-failure.ts';

/** Received bytes that are not read yet. */
export class ByteQueue {
  readonly #maxBytes: number;
  #memory = Buffer.alloc(0);
  #length = 0;

  /** @param maxBytes the most bytes that may wait: the longest event */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws {SubgraphFailure} where too many bytes wait */
  append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) {
      throw tooLong(this.#maxBytes);
    }
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#memory.length * 2));
      this.#memory.copy(larger, 0, 0, this.#length);
      this.#memory = larger;
    }
    chunk.copy(this.#memory, this.#length);
    this.#length = length;
  }

  /** The bytes that wait. Valid until the next call of another method. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** Drops the first bytes. */
  drop(count: number): void {
    this.#memory.copyWithin(0, count, this.#length);
    this.#length -= count;
    if (this.#length === 0) {
      // A large event must not keep its memory for the life of the stream.
      this.#memory = Buffer.alloc(0);
    }
  }
}

export function tooLong(maxBytes: number): SubgraphFailure {
  return new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', `an event is over ${maxBytes} bytes`);
}
