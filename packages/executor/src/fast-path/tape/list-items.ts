import { byte } from './byte.ts';
import { bailOut } from './fast-path-bailout.ts';
import type { Tape } from './tape.ts';

/** Moves into a list; whether it has an item. */
export function enterArray(tape: Tape): boolean {
  const { bytes, position } = tape;
  if (bytes[position] !== byte.openBracket) {
    bailOut();
  }
  const isEmpty = bytes[position + 1] === byte.closeBracket;
  tape.position = position + (isEmpty ? 2 : 1);
  return !isEmpty;
}

/** Moves from an item to the next, or out of the list; whether there is a next one. */
export function nextElement(tape: Tape): boolean {
  const next = tape.bytes[tape.position];
  tape.position += 1;
  if (next !== byte.comma && next !== byte.closeBracket) {
    bailOut();
  }
  return next === byte.comma;
}
