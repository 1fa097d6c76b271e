// The objects that share a representation, as words of a tape:
//
//   0   the first of them
//   1   the first cell of the others
//   2   those that share the next representation
//
// A cell of the others is an object and the next cell.
import type { SplicedObject } from './spliced-object.ts';
import type { Tape } from './tape.ts';

export type EqualTargets = number;

export const firstOtherCell = 1;
const next = 2;
const targetsWords = 3;
const nextCell = 1;
const cellWords = 2;

export function createEqualTargets(tape: Tape, first: SplicedObject, before: EqualTargets): EqualTargets {
  const targets = tape.allocate(targetsWords);
  tape.words[targets] = first;
  if (before !== 0) {
    tape.words[before + next] = targets;
  }
  return targets;
}

/** In no order. */
export function addTarget(tape: Tape, targets: EqualTargets, other: SplicedObject): void {
  const cell = tape.allocate(cellWords);
  const { words } = tape;
  words[cell] = other;
  words[cell + nextCell] = words[targets + firstOtherCell] ?? 0;
  words[targets + firstOtherCell] = cell;
}

export function firstOf({ words }: Tape, targets: EqualTargets): SplicedObject {
  return words[targets] ?? 0;
}

export function nextEqualTargets({ words }: Tape, targets: EqualTargets): EqualTargets {
  return words[targets + next] ?? 0;
}

/** The first cell of the others; 0 where there are none. */
export function firstOther({ words }: Tape, targets: EqualTargets): number {
  return words[targets + firstOtherCell] ?? 0;
}

export function nextOther({ words }: Tape, cell: number): number {
  return words[cell + nextCell] ?? 0;
}

export function otherAt({ words }: Tape, cell: number): SplicedObject {
  return words[cell] ?? 0;
}
