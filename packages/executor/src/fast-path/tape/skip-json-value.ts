import { byte } from './byte.ts';
import { expectBytes } from './tokens.ts';
import { bailOut } from './fast-path-bailout.ts';
import { skipBoolean, skipNull, skipNumber, skipString } from './skip-value.ts';
import { skipWhiteSpace } from './skip-white-space.ts';
import type { Tape } from './tape.ts';

const colon = Buffer.from(':');
/** Deeper nesting could overflow the stack; leave it to the slow path. */
const maxDepth = 256;

/** Moves over the value of a custom scalar, which may be anything but null. Its leaves are checked like others. */
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
      skipNumber(tape);
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
    expectBytes(tape, colon);
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

/** Moves into an object or list; whether there is something in it. */
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

/** Moves to what comes next in an object or list, or out of it; whether there is something. */
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
