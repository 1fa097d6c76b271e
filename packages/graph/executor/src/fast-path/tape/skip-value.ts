// Functions that skip a value and bail out on a leaf that is not of its type. The slow path then decides whether
// the leaf is wrong or only written differently. The skipped bytes are the leaf's text.
import type { Tape } from './tape.ts';
import { byte } from './tape.ts';
import { expectText, skipWhiteSpace } from './tokens.ts';
import { bailOut } from './fast-path-bailout.ts';
import { firstMarked, specialCharacters } from './find-bytes.ts';
import { fixedText } from './fixed-text.ts';

export type SkipLeaf = (tape: Tape) => void;

const nullText = fixedText('null');
const trueText = fixedText('true');
const falseText = fixedText('false');
const colon = fixedText(':');
/** Deeper nesting could overflow the stack; leave it to the slow path. */
const maxDepth = 256;
/** The characters that may follow a backslash, apart from `u`. RFC 8259 §7. */
const mayFollowBackslash = new Uint8Array(256);
for (const character of Buffer.from('"\\/bfnrt')) {
  mayFollowBackslash[character] = 1;
}
/** The number of digits that every parser reads exactly. */
const sureDigits = 15;
const maxInt = 2 ** 31 - 1;
const minInt = -(2 ** 31);
/** The longest integer that is not worth a second look. */
const surelyIntDigits = 9;

export function skipString(tape: Tape): void {
  const { bytes, view } = tape;
  let position = tape.position;
  if (bytes[position] !== byte.quote) {
    bailOut();
  }
  position += 1;
  for (;;) {
    let marks = specialCharacters(view.getInt32(position, true));
    if (marks === 0) {
      position += 4;
      marks = specialCharacters(view.getInt32(position, true));
      if (marks === 0) {
        position += 4;
        continue;
      }
    }
    position += firstMarked(marks);
    const next = bytes[position];
    if (next === byte.quote) {
      tape.position = position + 1;
      return;
    }
    position = next === byte.backslash ? endOfEscape(bytes, position + 1) + 1 : bailOut();
  }
}

/** GraphQL specification §3.5.1: 32 bits, in one form only. */
export function skipInt(tape: Tape): void {
  const start = tape.position;
  skipDigits(tape);
  if (tape.position - start > surelyIntDigits) {
    const value = Number(tape.bytes.toString('latin1', start, tape.position));
    if (value > maxInt || value < minInt) {
      bailOut();
    }
  }
}

/** A number that every parser reads alike: a short one, or one in its shortest form. */
export function skipNumber(tape: Tape): void {
  const { bytes, position: start } = tape;
  skipDigits(tape);
  if (bytes[tape.position] === byte.point) {
    tape.position += 1;
    skipFraction(tape);
  }
  const hasExponent = bytes[tape.position] === byte.e;
  if (hasExponent) {
    skipExponent(tape);
  }
  // Zero has no sign when it is written again.
  const mayBeNegativeZero = bytes[start] === byte.minus && bytes[start + 1] === byte.zero;
  if (hasExponent || mayBeNegativeZero || tape.position - start > sureDigits) {
    const text = bytes.toString('latin1', start, tape.position);
    if (String(Number(text)) !== text) {
      bailOut();
    }
  }
}

/** A number of a custom scalar: its text is copied, whatever a double would make of it. RFC 8259 §6. */
function skipExactNumber(tape: Tape): void {
  const { bytes } = tape;
  if (bytes[tape.position] === byte.minus) {
    tape.position += 1;
  }
  if (bytes[tape.position] === byte.zero) {
    tape.position += 1;
  } else {
    skipFraction(tape);
  }
  if (bytes[tape.position] === byte.point) {
    tape.position += 1;
    skipFraction(tape);
  }
  const next = bytes[tape.position];
  if (next === byte.e || next === byte.upperE) {
    skipExponent(tape);
  }
}

export function skipBoolean(tape: Tape): void {
  expectText(tape, tape.bytes[tape.position] === byte.t ? trueText : falseText);
}

export function skipNull(tape: Tape): void {
  expectText(tape, nullText);
}

export function enumSkipper(names: Iterable<string>): SkipLeaf {
  const texts = new Set([...names].map((name) => `"${name}"`));
  return (tape) => {
    const start = tape.position;
    skipString(tape);
    if (!texts.has(tape.bytes.toString('latin1', start, tape.position))) {
      bailOut();
    }
  };
}

/** The last position of an escape that has its character here. */
function endOfEscape(bytes: Buffer, position: number): number {
  const character = bytes[position] ?? 0;
  if (mayFollowBackslash[character] === 1) {
    return position;
  }
  const isUnicode = /^u[0-9A-Fa-f]{4}$/.test(bytes.toString('latin1', position, position + 5));
  return isUnicode ? position + 4 : bailOut();
}

/** An integer as `JSON.stringify` writes it, or the part of such a number before the decimal point. */
function skipDigits(tape: Tape): void {
  const { bytes } = tape;
  const isNegative = bytes[tape.position] === byte.minus;
  if (isNegative) {
    tape.position += 1;
  }
  if (bytes[tape.position] !== byte.zero) {
    skipFraction(tape);
    return;
  }
  tape.position += 1;
  if (isNegative && bytes[tape.position] !== byte.point) {
    bailOut();
  }
}

function skipFraction(tape: Tape): void {
  const { bytes } = tape;
  const start = tape.position;
  let position = start;
  for (;;) {
    const next = bytes[position] ?? 0;
    if (next < byte.zero || next > byte.nine) {
      break;
    }
    position += 1;
  }
  if (position === start) {
    bailOut();
  }
  tape.position = position;
}

/** The letter, the sign if there is one, and the digits. */
function skipExponent(tape: Tape): void {
  const sign = tape.bytes[tape.position + 1];
  tape.position += sign === byte.minus || sign === byte.plus ? 2 : 1;
  skipFraction(tape);
}

/** Moves over the value of a custom scalar, which may be anything but null. */
export function skipJsonValue(tape: Tape): void {
  skipValue(tape, 0);
}

function skipValue(tape: Tape, depth: number): void {
  switch (tape.bytes[tape.position] ?? byte.nothing) {
    case byte.quote:
      skipString(tape);
      return;
    case byte.openBrace:
      skipMembers(tape, depth + 1);
      return;
    case byte.openBracket:
      skipItems(tape, depth + 1);
      return;
    case byte.t:
    case byte.f:
      skipBoolean(tape);
      return;
    default:
      skipExactNumber(tape);
  }
}

function skipMembers(tape: Tape, depth: number): void {
  for (
    let isThere = entersNonEmpty(tape, byte.closeBrace, depth);
    isThere;
    isThere = hasNext(tape, byte.closeBrace)
  ) {
    skipString(tape);
    skipWhiteSpace(tape);
    expectText(tape, colon);
    skipWhiteSpace(tape);
    skipElement(tape, depth);
  }
}

function skipItems(tape: Tape, depth: number): void {
  for (
    let isThere = entersNonEmpty(tape, byte.closeBracket, depth);
    isThere;
    isThere = hasNext(tape, byte.closeBracket)
  ) {
    skipElement(tape, depth);
  }
}

/** A value inside another, where null is one. */
function skipElement(tape: Tape, depth: number): void {
  if (tape.bytes[tape.position] === byte.n) {
    skipNull(tape);
  } else {
    skipValue(tape, depth);
  }
}

/** Moves into an object or list. Returns true if it is not empty. */
function entersNonEmpty(tape: Tape, close: number, depth: number): boolean {
  if (depth > maxDepth) {
    bailOut();
  }
  tape.position += 1;
  skipWhiteSpace(tape);
  const isEmpty = tape.bytes[tape.position] === close;
  tape.position += Number(isEmpty);
  return !isEmpty;
}

/** Moves to the next item of an object or list, or out of it. Returns true if there is one. */
function hasNext(tape: Tape, close: number): boolean {
  skipWhiteSpace(tape);
  const next = tape.bytes[tape.position];
  if (next !== byte.comma && next !== close) {
    bailOut();
  }
  tape.position += 1;
  if (next === byte.comma) {
    skipWhiteSpace(tape);
  }
  return next === byte.comma;
}
