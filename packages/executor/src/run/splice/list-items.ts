import type { Cursor } from './cursor.ts';
import { byte, giveUp } from './cursor.ts';

/** Moves into a list; whether it has an item. */
export function startItems(cursor: Cursor): boolean {
  const { bytes, position } = cursor;
  if (bytes[position] !== byte.openBracket) {
    giveUp();
  }
  const isEmpty = bytes[position + 1] === byte.closeBracket;
  cursor.position = position + (isEmpty ? 2 : 1);
  return !isEmpty;
}

/** Moves from an item to the next, or out of the list; whether there is a next one. */
export function nextItem(cursor: Cursor): boolean {
  const next = cursor.bytes[cursor.position];
  cursor.position += 1;
  if (next !== byte.comma && next !== byte.closeBracket) {
    giveUp();
  }
  return next === byte.comma;
}
