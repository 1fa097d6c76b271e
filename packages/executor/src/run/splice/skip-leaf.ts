// What moves the cursor over a leaf, and gives up on one that is not of its type: whoever reads the answer then says whether it
// is wrong or only written differently. What was moved over is the leaf's text.
import type { Cursor } from './cursor.ts';
import { byte, expectBytes, giveUp } from './cursor.ts';

export type SkipLeaf = (cursor: Cursor) => void;

const nullBytes = Buffer.from('null');
const trueBytes = Buffer.from('true');
const falseBytes = Buffer.from('false');
/** What may follow a backslash, `u` aside. RFC 8259 §7. */
const escaped = new Set(Buffer.from('"\\/bfnrt'));
/** The digits of a number that every reader takes for the same number. */
const maxDigits = 15;
const maxInt = 2 ** 31 - 1;
const minInt = -(2 ** 31);
/** The longest integer that is not worth a second look. */
const surelyIntDigits = 9;

export function skipString(cursor: Cursor): void {
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

/** GraphQL specification §3.5.1: 32 bits, and no other way of writing them. */
export function skipInt(cursor: Cursor): void {
  const start = cursor.position;
  skipDigits(cursor);
  if (cursor.position - start > surelyIntDigits) {
    const value = Number(cursor.text.slice(start, cursor.position));
    if (value > maxInt || value < minInt) {
      giveUp();
    }
  }
}

/** A number without an exponent that has the same value for everyone who reads it. */
export function skipNumber(cursor: Cursor): void {
  const start = cursor.position;
  skipDigits(cursor);
  if (cursor.bytes[cursor.position] === byte.point) {
    cursor.position += 1;
    skipFraction(cursor);
  }
  if (cursor.position - start > maxDigits) {
    giveUp();
  }
}

export function skipBoolean(cursor: Cursor): void {
  expectBytes(cursor, cursor.bytes[cursor.position] === byte.t ? trueBytes : falseBytes);
}

export function skipNull(cursor: Cursor): void {
  expectBytes(cursor, nullBytes);
}

export function enumSkipper(names: Iterable<string>): SkipLeaf {
  const texts = new Set([...names].map((name) => `"${name}"`));
  return (cursor) => {
    const start = cursor.position;
    skipString(cursor);
    if (!texts.has(cursor.text.slice(start, cursor.position))) {
      giveUp();
    }
  };
}

/** The value of a custom scalar, which may be anything. */
export function skipAnything(cursor: Cursor): void {
  const skip = skippersOfAnything.get(cursor.bytes[cursor.position] ?? 0) ?? skipNumber;
  skip(cursor);
}

/** Finds where an object or list ends, and leaves it to `JSON.parse` whether it is one. */
function skipStructure(cursor: Cursor): void {
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
    JSON.parse(bytes.toString('utf8', start, cursor.position));
  } catch {
    giveUp();
  }
}

/** By the first character; another starts a number, or nothing. */
const skippersOfAnything: ReadonlyMap<number, SkipLeaf> = new Map([
  [byte.quote, skipString],
  [byte.openBrace, skipStructure],
  [byte.openBracket, skipStructure],
  [byte.t, skipBoolean],
  [byte.f, skipBoolean],
]);

/** The last position of an escape that has its character here. */
function endOfEscape(bytes: Buffer, position: number): number {
  const character = bytes[position] ?? 0;
  if (escaped.has(character)) {
    return position;
  }
  const isUnicode = /^u[0-9A-Fa-f]{4}$/.test(bytes.toString('latin1', position, position + 5));
  return isUnicode ? position + 4 : giveUp();
}

/** An integer as `JSON.stringify` writes it, or what stands before the point of such a number. */
function skipDigits(cursor: Cursor): void {
  const { bytes } = cursor;
  const isNegative = bytes[cursor.position] === byte.minus;
  if (isNegative) {
    cursor.position += 1;
  }
  if (bytes[cursor.position] !== byte.zero) {
    skipFraction(cursor);
    return;
  }
  cursor.position += 1;
  if (isNegative && bytes[cursor.position] !== byte.point) {
    giveUp();
  }
}

function skipFraction(cursor: Cursor): void {
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
