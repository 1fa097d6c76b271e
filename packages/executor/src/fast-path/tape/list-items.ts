import { byte } from './byte.ts';
import { giveUp } from '../fast-path-bailout.ts';
import type { Tape } from './tape.ts';

/** Moves into a list; whether it has an item. */
export function startItems(tape: Tape): boolean {
  const { bytes, position } = tape;
  if (bytes[position] !== byte.openBracket) {
    giveUp();
  }
  const isEmpty = bytes[position + 1] === byte.closeBracket;
  tape.position = position + (isEmpty ? 2 : 1);
  return !isEmpty;
}

/** Moves from an item to the next, or out of the list; whether there is a next one. */
export function nextItem(tape: Tape): boolean {
  const next = tape.bytes[tape.position];
  tape.position += 1;
  if (next !== byte.comma && next !== byte.closeBracket) {
    giveUp();
  }
  return next === byte.comma;
}
