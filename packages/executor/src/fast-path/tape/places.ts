// The objects that fetches are for, by the number of their place in the data: as words of a tape, the first and the last of each place.
import { bailOut } from './fast-path-bailout.ts';
import type { SplicedObject } from './spliced-object.ts';
import { nextAtPlace } from './spliced-object.ts';
import type { Tape } from './tape.ts';

/** Where they are: places are laid out before anything else. */
const firstPlace = 1;
const placeWords = 2;
const last = 1;

export function layOutPlaces(tape: Tape, count: number): void {
  if (tape.allocate(count * placeWords) !== firstPlace) {
    bailOut();
  }
}

/** In the order in which they were first met. */
export function addToPlace({ words }: Tape, place: number, object: SplicedObject): void {
  const at = firstPlace + place * placeWords;
  const before = words[at + last] ?? 0;
  words[before === 0 ? at : before + nextAtPlace] = object;
  words[at + last] = object;
}

/** 0 where there is none. */
export function firstAtPlace({ words }: Tape, place: number): SplicedObject {
  return words[firstPlace + place * placeWords] ?? 0;
}

/** 0 after the last one. */
export function nextAtSamePlace({ words }: Tape, object: SplicedObject): SplicedObject {
  return words[object + nextAtPlace] ?? 0;
}
