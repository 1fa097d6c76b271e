// The layout of objects, lists and values in the words of a tape.
//
// An object is identified by the position of its first word:
//
//   0       the number of its type
//   1       the next object at the same place of the data
//   2, 3    the range of the text last written for it; before that, of the text read, where equal texts make one object
//   4       the writer of that text; 0 for text that was read
//   5       1 for an object that a subgraph reported as missing
//   6, …    a value for each slot of the layout of its place
//
// A value is two words. It is the range of a leaf's text (null is a leaf); or an object or the first cell of a list,
// with a mark that is not the end of a range; or nothing, twice zero, when no response contained it. A list is a chain
// of cells: a value, and the next cell.
import { byte } from './byte.ts';
import { bailOut } from './fast-path-bailout.ts';
import type { Tape } from './tape.ts';

/** An object on the tape. Equal texts at the same place of the data share one object. */
export type SplicedObject = number;

export const nextAtPlace = 1;
const textStart = 2;
const textEnd = 3;
const textWriter = 4;
const missing = 5;
const headerWords = 6;

export const nullMark = -1;
export const objectMark = -2;
export const listMark = -3;

const cellWords = 3;
export const nextCell = 2;

/** Where the value of a slot is, from its object. */
export function slotOffset(slot: number): number {
  return headerWords + 2 * slot;
}

/** An object that no answer has said anything about. */
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

/** Notes what was written of an object, and by whom; as it was read, by nobody: 0. */
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

export function hasText({ words }: Tape, object: SplicedObject): boolean {
  return (words[object + textEnd] ?? 0) > 0;
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

/** Puts the text of a leaf. A null never takes the place of a value: which of two subgraphs answers first must not matter. */
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

/** Puts what an answer has brought to another object, by the same rule. Gives up where that object had a value of its own before. */
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

const nullLength = 4;
