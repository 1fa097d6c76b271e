import { Tape } from './tape.ts';

/** The limits of kept memory, in bytes: of all tapes, and of one. */
const maxKeptBytes = 2 ** 25;
const maxTapeBytes = 2 ** 21;

/** The tapes that the runs of an executor use one after another. */
export class TapePool {
  /** The most recently returned tape is the next to be used. */
  readonly #kept: Tape[] = [];
  #keptBytes = 0;

  /** A clear tape. A tape that is not returned is left to the garbage collector. */
  acquire(): Tape {
    const tape = this.#kept.pop();
    if (tape === undefined) {
      return new Tape();
    }
    this.#keptBytes -= tape.size;
    return tape;
  }

  /** Returns a tape that is no longer in use. */
  release(tape: Tape): void {
    const { size } = tape;
    if (size <= maxTapeBytes && this.#keptBytes + size <= maxKeptBytes) {
      tape.clear();
      this.#kept.push(tape);
      this.#keptBytes += size;
    }
  }
}
