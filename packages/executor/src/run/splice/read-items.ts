import type { Cursor } from './cursor.ts';
import { byte, giveUp } from './cursor.ts';

/** Reads a list without a space in it. */
export function readItems(cursor: Cursor, readItem: (cursor: Cursor) => unknown): void {
  const { bytes } = cursor;
  if (bytes[cursor.position] !== byte.openBracket) {
    giveUp();
  }
  cursor.position += 1;
  if (bytes[cursor.position] === byte.closeBracket) {
    cursor.position += 1;
    return;
  }
  for (;;) {
    readItem(cursor);
    const next = bytes[cursor.position];
    cursor.position += 1;
    if (next === byte.closeBracket) {
      return;
    }
    if (next !== byte.comma) {
      giveUp();
    }
  }
}
