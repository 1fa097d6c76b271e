import { Tape } from './tape.ts';

/** What is kept for the runs to come, in bytes: in all, and of one. */
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

/** Takes back a tape that nobody uses any more. */
export function returnTape(tape: Tape): void {
  const { size } = tape;
  if (size <= maxTapeBytes && keptBytes + size <= maxKeptBytes) {
    tape.clear();
    kept.push(tape);
    keptBytes += size;
  }
}
