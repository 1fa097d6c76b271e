// Readers of leaves. Each returns the text of one that is of its type, and gives up on another: whoever reads the answer then
// says whether it is wrong or only written differently.
import type { Cursor } from './cursor.ts';
import { byte, expectBytes, giveUp } from './cursor.ts';

/** Reads the value at the cursor, and moves behind it. */
export type ReadLeaf = (cursor: Cursor) => string;

const nullBytes = Buffer.from('null');
const trueBytes = Buffer.from('true');
const falseBytes = Buffer.from('false');
/** What may follow a backslash, `u` aside. RFC 8259 §7. */
const escaped = new Set(Buffer.from('"\\/bfnrt'));
/** The digits of a number that every reader takes for the same number. */
const maxDigits = 15;
const maxInt = 2 ** 31 - 1;
const minInt = -(2 ** 31);

export function readString(cursor: Cursor): string {
  const start = cursor.position;
  skipString(cursor);
  return cursor.text.slice(start, cursor.position);
}

/** GraphQL specification §3.5.1: 32 bits, and no other way of writing them. */
export function readInt(cursor: Cursor): string {
  const text = readDigits(cursor);
  const value = Number(text);
  return value > maxInt || value < minInt ? giveUp() : text;
}

/** A number without an exponent that has the same value for everyone who reads it. */
export function readNumber(cursor: Cursor): string {
  const start = cursor.position;
  readDigits(cursor);
  const { bytes, text } = cursor;
  if (bytes[cursor.position] === byte.point) {
    cursor.position += 1;
    skipDigits(cursor);
  }
  return cursor.position - start > maxDigits ? giveUp() : text.slice(start, cursor.position);
}

export function readBoolean(cursor: Cursor): string {
  if (cursor.bytes[cursor.position] === byte.t) {
    expectBytes(cursor, trueBytes);
    return 'true';
  }
  expectBytes(cursor, falseBytes);
  return 'false';
}

export function readNull(cursor: Cursor): string {
  expectBytes(cursor, nullBytes);
  return 'null';
}

export function enumReader(names: Iterable<string>): ReadLeaf {
  const texts = new Set([...names].map((name) => `"${name}"`));
  return (cursor) => {
    const text = readString(cursor);
    return texts.has(text) ? text : giveUp();
  };
}

/** Reads the value of a custom scalar, which may be anything. */
export function readAnything(cursor: Cursor): string {
  const read = readersOfAnything.get(cursor.bytes[cursor.position] ?? 0) ?? readNumber;
  return read(cursor);
}

/** Finds where an object or list ends, and leaves it to `JSON.parse` whether it is one. */
function readStructure(cursor: Cursor): string {
  const { bytes } = cursor;
  const start = cursor.position;
  let depth = 0;
  do {
    const next = bytes[cursor.position];
    if (next === byte.quote) {
      skipString(cursor);
      continue;
    }
    if (next === undefined) {
      giveUp();
    }
    depth += Number(next === byte.openBrace || next === byte.openBracket);
    depth -= Number(next === byte.closeBrace || next === byte.closeBracket);
    cursor.position += 1;
  } while (depth > 0);
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, cursor.position));
    return Buffer.from(JSON.stringify(value)).toString('latin1');
  } catch {
    return giveUp();
  }
}

/** By the first character; another starts a number, or nothing. */
const readersOfAnything: ReadonlyMap<number, ReadLeaf> = new Map([
  [byte.quote, readString],
  [byte.openBrace, readStructure],
  [byte.openBracket, readStructure],
  [byte.t, readBoolean],
  [byte.f, readBoolean],
]);

function skipString(cursor: Cursor): void {
  const { bytes } = cursor;
  let position = cursor.position;
  if (bytes[position] !== byte.quote) {
    giveUp();
  }
  for (;;) {
    position += 1;
    const next = bytes[position];
    if (next === byte.quote) {
      cursor.position = position + 1;
      return;
    }
    if (next === byte.backslash) {
      position = endOfEscape(bytes, position + 1);
    } else if (next === undefined || next < byte.space) {
      giveUp();
    }
  }
}

/** The last position of an escape that has its character here. */
function endOfEscape(bytes: Buffer, position: number): number {
  const character = bytes[position] ?? 0;
  if (escaped.has(character)) {
    return position;
  }
  const isUnicode = /^u[0-9A-Fa-f]{4}$/.test(bytes.toString('latin1', position, position + 5));
  return isUnicode ? position + 4 : giveUp();
}

/** An integer as `JSON.stringify` writes it. */
function readDigits(cursor: Cursor): string {
  const { bytes } = cursor;
  const start = cursor.position;
  const isNegative = bytes[start] === byte.minus;
  if (isNegative) {
    cursor.position += 1;
  }
  if (bytes[cursor.position] === byte.zero) {
    cursor.position += 1;
    return isNegative && bytes[cursor.position] !== byte.point
      ? giveUp()
      : cursor.text.slice(start, cursor.position);
  }
  skipDigits(cursor);
  return cursor.text.slice(start, cursor.position);
}

function skipDigits(cursor: Cursor): void {
  const { bytes } = cursor;
  const start = cursor.position;
  let position = start;
  for (;;) {
    const next = bytes[position] ?? 0;
    if (next < byte.zero || next > byte.nine) {
      break;
    }
    position += 1;
  }
  if (position === start) {
    giveUp();
  }
  cursor.position = position;
}
