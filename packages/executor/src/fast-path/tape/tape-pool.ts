import { Tape } from './tape.ts';

/** The limits of kept memory, in bytes: of all tapes, and of one. */
const maxKeptBytes = 2 ** 25;
const maxTapeBytes = 2 ** 21;

/** The one that was used last is the next to be used. */
const kept: Tape[] = [];
let keptBytes = 0;

/** A clear tape. One that is not returned is left to the collector. */
export function borrowTape(): Tape {
  const tape = kept.pop();
  if (tape === undefined) {
    return new Tape();
  }
  keptBytes -= tape.size;
  return tape;
}

/** Returns a tape that is no longer in use. */
export function returnTape(tape: Tape): void {
  const { size } = tape;
  if (size <= maxTapeBytes && keptBytes + size <= maxKeptBytes) {
    tape.clear();
    kept.push(tape);
    keptBytes += size;
  }
}
