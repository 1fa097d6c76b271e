import { bailOut } from './fast-path-bailout.ts';
import { closingBraces, firstMarked } from './find-bytes.ts';
import type { FixedText } from './fixed-text.ts';
import type { Tape } from './tape.ts';
import { byte } from './tape.ts';

/** Moves over this text. */
export function expectText(tape: Tape, expected: FixedText): void {
  if (!startsWith(tape, expected)) {
    bailOut();
  }
  tape.position += expected.length;
}

/** True when this text is next. */
export function startsWith({ view, position }: Tape, { words, lastMask }: FixedText): boolean {
  const last = words.length - 1;
  let at = position;
  for (let index = 0; index < last; index += 1) {
    if (view.getInt32(at, true) !== words[index]) {
      return false;
    }
    at += 4;
  }
  return ((view.getInt32(at, true) ^ (words[last] ?? 0)) & lastMask) === 0;
}

/** The position after the next closing brace: where an object of short leaves most likely ends. */
export function endOfFlatObject({ view, position, responseEnd }: Tape): number {
  for (let at = position; at < responseEnd; at += 4) {
    const marks = closingBraces(view.getInt32(at, true));
    if (marks !== 0) {
      return at + firstMarked(marks) + 1;
    }
  }
  return responseEnd;
}

/** Moves into a list. Returns true if it has an item. */
export function enterArray(tape: Tape): boolean {
  const { bytes, position } = tape;
  if (bytes[position] !== byte.openBracket) {
    bailOut();
  }
  const isEmpty = bytes[position + 1] === byte.closeBracket;
  tape.position = position + (isEmpty ? 2 : 1);
  return !isEmpty;
}

/** Moves to the next item, or out of the list. Returns true if there is a next one. */
export function nextElement(tape: Tape): boolean {
  const next = tape.bytes[tape.position];
  tape.position += 1;
  if (next !== byte.comma && next !== byte.closeBracket) {
    bailOut();
  }
  return next === byte.comma;
}

/** Skips insignificant white space. RFC 8259 §2. */
export function skipWhiteSpace(tape: Tape): void {
  const { bytes } = tape;
  while (isWhiteSpace(bytes[tape.position])) {
    tape.position += 1;
  }
}

export function isWhiteSpace(next: number | undefined): boolean {
  return next === byte.space || next === byte.lineFeed || next === byte.carriageReturn || next === byte.tab;
}
