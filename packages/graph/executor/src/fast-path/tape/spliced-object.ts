// The layout of objects, lists and values in the words of a tape; below, of the objects at one place and of those with
// one representation.
//
// An object is identified by the position of its first word:
//
//   0       the number of its type
//   1       the next object at the same place of the data
//   2, 3    the range of the text last written for it; before that, of the text read, where equal texts make one object
//   4       the number of the reader that accepted that text, or its writer's, below zero
//   5       1 for an object that a subgraph reported as missing
//   6, …    a value for each slot of the layout of its place
//
// A value is two words. It is the range of a leaf's text (null is a leaf); or an object or the first cell of a list,
// with a mark that is not the end of a range; or nothing, twice zero, when no response contained it. A list is a chain
// of cells: a value, and the next cell.
import { maxEntitiesOfFetch } from '../../selections/fetch-input.ts';
import type { Tape } from './tape.ts';
import { byte } from './tape.ts';
import { bailOut } from './fast-path-bailout.ts';

/** An object on the tape. Equal texts at the same place of the data share one object. */
export type SplicedObject = number;

const nextAtPlace = 1;
const textStart = 2;
const textEnd = 3;
const textWriter = 4;
const missing = 5;
const headerWords = 6;

export const nullMark = -1;
export const objectMark = -2;
export const listMark = -3;

const nullLength = 4;

const cellWords = 3;
export const nextCell = 2;

/** The offset of a slot's value from its object. */
export function slotOffset(slot: number): number {
  return headerWords + 2 * slot;
}

/** An object without values. */
export function createObject(tape: Tape, type: number, slotCount: number): SplicedObject {
  const object = tape.allocate(headerWords + 2 * slotCount);
  tape.words[object] = type;
  return object;
}

export function typeOf({ words }: Tape, object: SplicedObject): number {
  return words[object] ?? 0;
}

/** Records that a subgraph has no such entity. Its fields from there are null, without an error. */
export function noteMissing({ words }: Tape, object: SplicedObject): void {
  words[object + missing] = 1;
}

/** True when the subgraph that should have supplied the value has no such entity. */
export function isMissingAt({ words }: Tape, object: SplicedObject, at: number): boolean {
  return words[at + 1] === 0 && words[object + missing] === 1;
}

/** Records the text of an object, and the number of its writer or reader. */
export function noteText(
  { words }: Tape,
  object: SplicedObject,
  writer: number,
  start: number,
  end: number,
): void {
  words[object + textStart] = start;
  words[object + textEnd] = end;
  words[object + textWriter] = writer;
}

/** True when the recorded text of an object is the one that was read, and not one that was written since. */
export function hasReadText({ words }: Tape, object: SplicedObject): boolean {
  return (words[object + textEnd] ?? 0) > 0 && (words[object + textWriter] ?? 0) > 0;
}

/** True when this writer wrote the recorded text of an object. */
export function isWrittenBy({ words }: Tape, object: SplicedObject, writer: number): boolean {
  return words[object + textWriter] === writer;
}

/** Copies the recorded text of an object. */
export function writeNotedText(tape: Tape, object: SplicedObject): void {
  tape.copy(tape.words[object + textStart] ?? 0, tape.words[object + textEnd] ?? 0);
}

export function createCell(tape: Tape): number {
  return tape.allocate(cellWords);
}

export function putMarked({ words }: Tape, at: number, value: number, mark: number): void {
  words[at] = value;
  words[at + 1] = mark;
}

/** Stores the text of a leaf. A null never replaces a value: the order of two responses must not matter. */
export function putText({ bytes, words }: Tape, at: number, start: number, end: number): void {
  const isNull = end - start === nullLength && bytes[start] === byte.n;
  if (words[at + 1] === 0 || !isNull) {
    words[at] = start;
    words[at + 1] = end;
  }
}

/** Copies the text of a leaf. Bails out when no response contained it. */
export function writeText(tape: Tape, at: number): void {
  const start = tape.words[at] ?? 0;
  const end = tape.words[at + 1] ?? 0;
  if (end <= 0) {
    bailOut();
  }
  tape.copy(start, end);
}

/** Copies the values of a response to another object, by the same rule. Bails out if that object had its own value. */
export function copyValue(tape: Tape, from: number, to: number): void {
  const { words, responseStart } = tape;
  const value = words[from] ?? 0;
  const mark = words[from + 1] ?? 0;
  if (mark > 0 && value < responseStart) {
    bailOut();
  } else if (mark > 0) {
    putText(tape, to, value, mark);
  } else if (mark !== 0 && (mark !== nullMark || words[to + 1] === 0)) {
    putMarked(tape, to, value, mark);
  }
}
// The objects at each place of the data, by the number of the place: three words, the first object, the last, and their
// number.

/** Places are laid out before anything else. */
const firstPlace = 1;
const placeWords = 3;
const lastAtPlace = 1;
const countAtPlace = 2;

export function layOutPlaces(tape: Tape, count: number): void {
  if (tape.allocate(count * placeWords) !== firstPlace) {
    bailOut();
  }
}

/**
 * Adds an object, in the order in which they were first met. Bails out at more than a fetch may have entities: nothing
 * more of them is collected here.
 */
export function addToPlace({ words }: Tape, place: number, object: SplicedObject): void {
  const at = firstPlace + place * placeWords;
  const count = (words[at + countAtPlace] ?? 0) + 1;
  if (count > maxEntitiesOfFetch) {
    bailOut();
  }
  words[at + countAtPlace] = count;
  const before = words[at + lastAtPlace] ?? 0;
  words[before === 0 ? at : before + nextAtPlace] = object;
  words[at + lastAtPlace] = object;
}

/** 0 if there is none. */
export function firstAtPlace({ words }: Tape, place: number): SplicedObject {
  return words[firstPlace + place * placeWords] ?? 0;
}

/** 0 after the last one. */
export function nextAtSamePlace({ words }: Tape, object: SplicedObject): SplicedObject {
  return words[object + nextAtPlace] ?? 0;
}

// The objects that share a representation, in three words:
//
//   0   the first of them
//   1   the first cell of the others
//   2   the objects that share the next representation
//
// A cell of the others is an object and the next cell.

export type EqualTargets = number;

const firstOtherCell = 1;
const nextTargets = 2;
const targetsWords = 3;
const nextOtherCell = 1;
const otherCellWords = 2;

export function createEqualTargets(tape: Tape, first: SplicedObject, before: EqualTargets): EqualTargets {
  const targets = tape.allocate(targetsWords);
  tape.words[targets] = first;
  if (before !== 0) {
    tape.words[before + nextTargets] = targets;
  }
  return targets;
}

/** In no order. */
export function addTarget(tape: Tape, targets: EqualTargets, other: SplicedObject): void {
  const cell = tape.allocate(otherCellWords);
  const { words } = tape;
  words[cell] = other;
  words[cell + nextOtherCell] = words[targets + firstOtherCell] ?? 0;
  words[targets + firstOtherCell] = cell;
}

export function firstOf({ words }: Tape, targets: EqualTargets): SplicedObject {
  return words[targets] ?? 0;
}

export function nextEqualTargets({ words }: Tape, targets: EqualTargets): EqualTargets {
  return words[targets + nextTargets] ?? 0;
}

/** The first cell of the others; 0 where there are none. */
export function firstOther({ words }: Tape, targets: EqualTargets): number {
  return words[targets + firstOtherCell] ?? 0;
}

export function nextOther({ words }: Tape, cell: number): number {
  return words[cell + nextOtherCell] ?? 0;
}

export function otherAt({ words }: Tape, cell: number): SplicedObject {
  return words[cell] ?? 0;
}
