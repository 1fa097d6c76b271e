import { bailOut } from './fast-path-bailout.ts';
import type { Tape } from './tape.ts';
import { byte } from './tape.ts';

/** Moves over these bytes. */
export function expectBytes(tape: Tape, expected: Uint8Array): void {
  if (!startsWith(tape, expected)) {
    bailOut();
  }
  tape.position += expected.length;
}

/** True when these bytes are next. */
export function startsWith({ bytes, position }: Tape, expected: Uint8Array): boolean {
  const { length } = expected;
  for (let index = 0; index < length; index += 1) {
    if (bytes[position + index] !== expected[index]) {
      return false;
    }
  }
  return true;
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
