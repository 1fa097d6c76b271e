import type { AllocateBuffer } from './tape.ts';
import { Tape, allocateBuffer } from './tape.ts';

/** The limits of kept memory, in bytes: of all tapes, and of one. */
const maxKeptBytes = 2 ** 27;
const maxTapeBytes = 2 ** 21;
/** The number of tapes that are kept in any case. */
const fewestKept = 8;

interface TapePoolOptions {
  readonly checkEveryMs?: number;
  readonly allocateResult?: AllocateBuffer | undefined;
}

/**
 * The tapes that the runs of an executor use one after another: as many as were in use at the same time lately. To make
 * a tape anew takes a large run a fifth of its time.
 */
export class TapePool {
  /** Allocates the bytes of the results of these runs. */
  readonly allocateResult: AllocateBuffer;
  readonly #checkEveryMs: number;
  /** The most recently returned tape is the next to be used. */
  readonly #kept: Tape[] = [];
  #keptBytes = 0;
  /** The smallest number of kept tapes since the last check: so many were never needed. */
  #unneeded = 0;
  #check: NodeJS.Timeout | undefined;

  /** @param checkEveryMs between checks for tapes that no run needs any more. Default: 5000 */
  constructor({ checkEveryMs = 5000, allocateResult = allocateBuffer }: TapePoolOptions = {}) {
    this.#checkEveryMs = checkEveryMs;
    this.allocateResult = allocateResult;
  }

  /** The number of tapes that are not in use. */
  get keptCount(): number {
    return this.#kept.length;
  }

  /** A clear tape. A tape that is not returned is left to the garbage collector. */
  acquire(): Tape {
    const tape = this.#kept.pop();
    if (tape === undefined) {
      return new Tape();
    }
    this.#keptBytes -= tape.size;
    this.#unneeded = Math.min(this.#unneeded, this.#kept.length);
    return tape;
  }

  /** Returns a tape that is no longer in use. */
  release(tape: Tape): void {
    const { size } = tape;
    if (size <= maxTapeBytes && this.#keptBytes + size <= maxKeptBytes) {
      tape.clear();
      this.#kept.push(tape);
      this.#keptBytes += size;
      if (this.#check === undefined && this.#kept.length > fewestKept) {
        this.#checkLater();
      }
    }
  }

  #checkLater(): void {
    this.#unneeded = this.#kept.length;
    this.#check = setTimeout(() => this.#dropUnneeded(), this.#checkEveryMs).unref();
  }

  #dropUnneeded(): void {
    const count = Math.min(this.#unneeded, this.#kept.length - fewestKept);
    for (const { size } of this.#kept.splice(0, Math.max(0, count))) {
      this.#keptBytes -= size;
    }
    this.#check = undefined;
    if (this.#kept.length > fewestKept) {
      this.#checkLater();
    }
  }
}
